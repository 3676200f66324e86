import { readFileSync } from "node:fs";
import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { append, emptySplit, finish, viewBlocks } from "./split-blocks.ts";
import { EnglishMarkdown } from "./testing/english-markdown.tsx";
import { cutText } from "./testing/whole-parse.ts";

const words = "Words of a plain paragraph. ";
const formulas = "The sum $\\sum_{k=1}^n k$ is near $\\frac{\\pi^2}{6}$.";
const sizes = (text: string) => finish(append(emptySplit, text)).blocks.map((group) => group.length);

describe("groups of blocks", () => {
  test("hold sixteen blocks of plain text, and fewer that are dear to draw", () => {
    expect(sizes(`${words.repeat(5)}\n\n`.repeat(40))).toEqual([16, 16, 8]);
    const dear = sizes(`${formulas}\n\n`.repeat(40));
    expect(Math.max(...dear)).toBeLessThanOrEqual(8);
    expect(dear.reduce((sum, size) => sum + size)).toBe(40);
  });

  test("are the same however the text came, and none changes once a later one has begun", () => {
    const paragraph = fc.constantFrom(
      words,
      words.repeat(80),
      formulas,
      "```js\nlet a;\n```",
      `- ${formulas}\n- b`,
    );
    fc.assert(
      fc.property(
        fc.array(paragraph, { minLength: 10, maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 }),
        (paragraphs, cuts) => {
          const text = paragraphs.map((each) => `${each}\n\n`).join("");
          let state = emptySplit;
          let before = viewBlocks(state);
          for (const piece of cutText(text, cuts)) {
            state = append(state, piece);
            const now = viewBlocks(state);
            before.slice(0, -1).forEach((group, index) => expect(now[index]?.length).toBe(group.length));
            before = now;
          }
          expect(finish(state).blocks.map((group) => group.length)).toEqual(sizes(text));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("styles of a group's first and last block", () => {
  const css = readFileSync(new URL("./markdown.module.css", import.meta.url), "utf8");
  const selectors = [...css.matchAll(/^\.group[:[][^{,]*(?:\([^)]*\)[^{,]*)*> [^{]*(?= \{)/gm)].map(
    ([selector]) => selector,
  );

  test("name each element that a block can be, or the browser looks at every element in the group", () => {
    const drawn = renderToStaticMarkup(
      <EnglishMarkdown
        streaming={false}
        text={`# A\n\n## B\n\n### C\n\n#### D\n\n##### E\n\ntext\n\n---\n\n- a\n\n1. b\n\n> c\n\n> [!TIP]\n> d\n\n|e|\n|-|\n|f|\n\n\`\`\`js\ng\n\`\`\`\n\n    h\n\n$$\ni\n$$\n\nj[^1] https://k.example\n\n[^1]: l\n\nhttps://m.example\n`}
      />,
    );
    const tags = topLevelTags(drawn);
    expect(tags.size).toBeGreaterThan(10);
    expect(selectors.length).toBe(4);
    for (const selector of selectors) {
      const [, named = ""] = /> :is\(([^)]*)\):(?:first|last)-child$/.exec(selector) ?? [];
      // A formula is a span, as are most elements in one.
      expect(new Set(named.split(", ").map((name) => name.replace(".mathDisplay", "span")))).toEqual(tags);
    }
  });
});

/** Tags of the elements that stand in a group itself. */
function topLevelTags(html: string): Set<string> {
  const tags = new Set<string>();
  let depth = 0;
  for (const [tag, slash, name = ""] of html.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
    if (slash === "/") depth--;
    else {
      if (depth === 2) tags.add(name);
      if (!/^(?:br|hr|input)$/.test(name) && !tag.endsWith("/>")) depth++;
    }
  }
  return tags;
}
