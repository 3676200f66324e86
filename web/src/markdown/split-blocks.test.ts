import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block } from "./block-model.ts";
import { costOf, costOfPart } from "./block-size.ts";
import { unitsOf } from "./block-units.ts";
import { append, emptySplit, finish, viewBlocks } from "./split-blocks.ts";
import {
  cutText,
  expectClosedIsPrefix,
  expectPartsOfParagraph,
  expectSameAsUncut,
  expectSameAsWhole,
  flat,
} from "./testing/whole-parse.ts";

// A part of it is rounded: fast-check counts a fraction down for ever.
const runs = process.env["TEST_LONG"] === "1" ? 20_000 : 1500;

const cases: Record<string, string> = {
  "paragraphs and headings": "# One\n\ntext *em* **st** `code`\nmore\n\n## Two\nline\n---\nafter\n===\nend",
  "a heading not yet typed": "para\n#no heading\n\npara\n# heading\n",
  "setext or list": "para\n- item\n\npara\n-\n\npara\n--\n",
  "table after a paragraph": "para\na | b\n- | -\n1 | 2\n3 | 4\nlazy\n\nafter",
  "things that turn out to head a table":
    "# a|b\n-|-\n\n```a|b\n-|-\n\n$$a|b$$\n-|-\n\n> a|b\n-|-\n\n- a|b\n-|-\n",
  "table rows, short and long": "|a|b|c|\n|-|:-:|-:|\n|1|\n|1|2|3|4|\n|`x|y`|\\||z|\n> end",
  "table without rows": "|a|b|\n|-|-|\n\n|c|d|\n|-|-|",
  "row that ends a table": "|a|\n|-|\n|1|\n|2|\n# head\n|3|\n",
  "list, tight then loose": "- a\n- b\n- c\n\n- d\n- e",
  "list with nested parts": "1. one\n   - x\n   - y\n\n     deep\n2. two\n\n   para\n3. three\n",
  "ordered list with start and gaps": "7. a\n9. b\n1) c\n2) d\n* e\n+ f\n",
  "items moved to the right": "- a\n - b\n  - c\n   - d\n    - e\n- f\n",
  "deep first item": "   - a\n  - b\n - c\n- d\n",
  "empty items": "-\n- a\n-\n\n- b\n-\n\n  c\n- \n",
  "item that looks like a table head": "- x\n- a|b\n-|-\n- c\n  -|-\n- d | e\n  -|-\n  1|2\n",
  "list ended by a rule": "- a\n- b\n---\n- c\n***\n* * *\n",
  "code in an item": "- a\n  ```js\n  let x\n\n  - no item\n  ```\n- b\n\n      code\n- c",
  fence: '```ts title="x"\nconst a = 1;\n\n# no\n- no\n``\n```\nafter',
  "fence, indented and tabbed": "  ```\n   a\n \tb\n\tc\n c\n  ```  \n~~~ x\n```\n~~~~ \n",
  "fence without end": "text\n```py\nprint()\n",
  "fence with spaces at its end": "```\na\n  ",
  "fence closing with tab": "```\na\n\t```\n   ```\t\nb\n    ```",
  "fence info with backtick": "``` a`b\nc\n```\nd",
  "quotation with lazy lines": "> a\nlazy\n> - b\nlazy\n\n> c\n# d\n> ```\n> x\n```\ny",
  "indented code": "    a\n\n    b\n\nc\n    d\n",
  "definition after use":
    "see [a] and [b][A] and ![c][a]\n\n- [a]\n- [x]\n\n|[a]|\n|-|\n|[x]|\n|[a]|\n\n[a]: http://a.example 'T'\n\n[x]: <http://x.example>\n",
  "definition before use, first one counts": "[a]: /1\n[a]: /2\n[b]:\n/3\n'title\nin two'\n[a] [b]\n",
  "definition whose title comes later": "[a]: /1\n'title\nends'\n\n[a]",
  "definition whose title never ends": "[a]: /1\n'title\n\nends' [a]",
  "definition in an item with a lazy title": "- [a]: /1\n'title\nends'\n\n[a]",
  "definition in a quotation": "> [a]: /1\n'title'\n\n> [b]: /2\n> 'x\n> y'\n[a] [b]",
  "definition in an item": "- [a]\n- [b]: /2\n- [b]\n- c\n\n[a]: /1",
  math: "a $x_1$ b $5 and $10 and \\(y\\) \\[z\\]\n$$\nE = mc^2\n\n- x\n$$\nafter\n\\[\na\n\\]\n$$ one $$\n$$ a\n= b\n- c $$.\nd",
  "math without end": "$$\na\n\nb\n\nwords *so*\n\n$$\na\n\nb\n\n# head\n\n$$ c\nd\n\ne\n\n\\[\nf",
  "math in containers": "- $$\n  a\n  $$\n- b\n> $$\n> c\nd\n",
  "math environments":
    "\\begin{align}\na\n\n&b\n\\end{align}\nx\n\\begin{align}\nnever\n\n# closed\n\\begin{foo}\n\n\\begin{align}\nb\n\\end{align} *c*\nd\n\n\\begin{align}\n",
  "math that may still be closed":
    "a\n\n\\[\n\nb\n\nc\n\\]\n\nd\n\n\\[ e\nf \\]\n\n\\[ g\n\nh\n\\]\n\n$$\nx\n\n# y\n$$\n",
  "math that takes items and rows in":
    "- a\n\\[ x\n- b\n\\]\n\n|a|\n|-|\n|b|\n$$ y\n|c|\n$$\n\n- a\n\\[ x\n- b\n- c\n\n- d\n\\[ x\n  ```\n  c\n  \\]\n",
  footnotes:
    "a[^1] b[^x] c[^none]\n\n[^1]: one\nlazy\n[^x]: two\n\n    more\n\n    - list\n\nend[^1]\n[^1]: again\n\n[^e]:\n    f",
  "footnote behind a bare link": "a https://x.y/z.[^1], www.x.y/z[^1] https://x.y/[a][^1]\n\n[^1]: n",
  "footnote after use in a list": "- a[^1]\n- b\n\n[^1]: n\n\n> [^2]: q\n\nx[^2]",
  notes: "> [!WARNING]\n> a\n>\n> b\n\n> [!tip]\n\n> [!NOTE] x\n> y\n\n- > [!CAUTION]\n  > z",
  "a long quotation":
    "> a\n>\n> b\n> - c\n> - d\n>\n> ```\n> e\n>\n> f\n> ```\n> g\nlazy\n>\n> [r]: /u\n> 't'\n>\n> h [r]\n\ni",
  "headings without a space": "###标题\n##二、x\n#话题\n####### 七\na\n##b\n## 中 ##\n",
  "code lifted from items":
    "- a\n\n  ```js\n  x\n\n\ty\n    z\n  ```\n  after\n- b\n  ~~~\n  c\n\nleft\n\n1. d\n   1. e\n      ````\n      f\n      ```\n\n\n2. g\n   ```\n   h",
  "carriage returns and nulls": "a\r\n\r\n- b\r- c\r\n\r\n```\r\nx\r\n```\0\r",
  "html is text": "<div>\n*a*\n\n</div>\n<!-- x\n\n-->\n<script>alert(1)</script>",
  "blank lines only": "\n \n\t\n",
  escapes: "\\# a\n\n\\- b\n1\\. c\n\\```\nd",
  links: 'http://a.example/x_y_z <http://b.example> [c](d.example "t") [e](javascript:alert`1`)\n',
  "links beside Chinese":
    "见https://a.example/x，然后**https://b.example/**。\n- “http://c.example/中文”—— <http://d.example/中> 、https://文.example\nhttps://e.example/\n然后",
};

describe("split-blocks", () => {
  test.each(Object.entries(cases))(
    "%s: whole, by characters and by fives give the full parse [REND-001]",
    (_name, text) => {
      expectSameAsWhole(text, [text]);
      expectSameAsWhole(
        text,
        [...Array(text.length).keys()].map((index) => text.charAt(index)),
      );
      expectSameAsWhole(text, text.match(/[^]{1,5}/g) ?? []);
      expectClosedIsPrefix(text);
    },
  );

  const line = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...Object.values(cases).flatMap((text) => text.split("\n"))) },
    fc.constantFrom(
      "",
      "",
      "  ",
      "- ",
      "  - a",
      "> ",
      "1. x",
      "```",
      "~~~",
      "$$",
      "\\[",
      "---",
      "===",
      "|-|-|",
      "| a | b |",
      "[a]: /u",
      "'t",
      "t'",
      "[a]",
      "    c",
      "\t- x",
      "[^1]: note",
      "x[^1] [a][b]",
      "\\begin{align}",
      "\\end{align}",
      "\\]",
      "$$ x",
      "> > y",
      "> ",
      "> z",
      "  ```",
      "  code",
      "   ```",
      "##标题",
      "> [!NOTE]",
      "    more",
      "    - y",
    ),
    fc.string({ maxLength: 12, unit: fc.constantFrom(..."-*_`~#>|$\\[]()!:'\"0123. \tab中é") }),
  );
  const hostile = fc.array(line, { maxLength: 14 }).map((lines) => lines.join("\n"));

  test("any text cut anywhere ends as its full parse [REND-001]", () => {
    fc.assert(
      fc.property(hostile, fc.array(fc.integer({ min: 1, max: 41 }), { minLength: 1 }), (text, sizes) => {
        expectSameAsWhole(text, cutText(text, sizes));
      }),
      { numRuns: runs },
    );
  });

  test("what is closed never changes, at every cut", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expectClosedIsPrefix(text);
      }),
      { numRuns: runs },
    );
  });

  test("closed blocks, items and rows keep their identity", () => {
    const text = `${"- item\n".repeat(50)}\npara\n\n${"|a|\n|-|\n"}${"|r|\n".repeat(50)}`;
    let state = emptySplit;
    let before: Block[] = [];
    for (const piece of text.match(/[^]{1,5}/g) ?? []) {
      state = append(state, piece);
      const now = flat(state.blocks);
      expect(now.slice(0, before.length).every((block, index) => block === before[index])).toBe(true);
      before = now;
      expect(state.tail.length).toBeLessThan(40);
    }
    expect(state.open?.kind).toBe("table");
  });

  test.each([
    ["code in a list item", "- a\n\n  ```js\n", "  const value = 1;\n"],
    ["a long quotation", "", "> words and more words\n>\n"],
    ["definitions", "", "[label]: https://x.example\n"],
    ["an unclosed formula", "$$\n", "x + y\n\n"],
    ["a long paragraph", "$$\n", "a_{1} + b_{1} = c_{1}\n"],
    ["a paragraph of lines in brackets", "", "[12:00] started\n"],
  ])("the tail of %s stays short", (_name, start, line) => {
    let state = append(emptySplit, start);
    let longest = 0;
    for (let count = 0; count < 2000; count++) {
      state = append(state, line);
      longest = Math.max(longest, state.tail.length);
    }
    expect(longest).toBeLessThan(4200);
  });

  test("a definition touches only the blocks that asked for its label", () => {
    const before = append(emptySplit, "uses [a]\n\nuses none\n\nuses [b]\n\nnext\n\n");
    const after = append(before, "[a]: http://a.example\n\nend");
    const changed = flat(before.blocks).map((block, index) => block !== flat(after.blocks)[index]);
    expect(changed).toEqual([true, false, false, false]);
  });

  test("the view shows the closed blocks and the open ones", () => {
    const state = append(emptySplit, "# a\n\n- b\n- c\n- d");
    const view = flat(viewBlocks(state));
    expect(view.map((block) => block.kind)).toEqual(["plain", "list"]);
    expect(view[1]?.kind === "list" && flat(view[1].items).length).toBe(3);
    expect(view[0]).toBe(state.blocks[0]?.[0]);
  });

  describe("a paragraph of more than 4,000 characters", () => {
    const long = (line: string, size = 5000) => `${line}\n`.repeat(Math.ceil(size / (line.length + 1)));
    const almost = long("words and words", 3990);

    test.each([
      ["an underline below it", `${long("text")}end\n===\nafter`],
      ["a table below it", `${almost}and more of it\na | b\n-|-\n1 | 2\n`],
      ["a table right behind its parting", `${almost}and more\na | b\n-|-\n1 | 2\n`],
      ["a table at its parting", `${almost}a | b\n-|-\n1 | 2\n`],
      ["a formula across the parting", `${almost}$$\n${"x + y\n".repeat(9)}$$\nafter`],
      ["a formula that is none", `$$\n${long("x + y", 9000)}`],
      ["a definition with a long title", `[a]: /u 'title\n${long("goes on", 9000)}end'\n\n[a]`],
      ["a definition with a title that never ends", `[a]: /u\n'title\n${long("goes on", 9000)}\n[a]`],
      [
        "a block behind it",
        `[a]: /u\n'not a title\n\n${long("words [a]", 9000)}- item\n\n> ${long("quoted")}`,
      ],
    ])("with %s is parted where its text says, wherever it was cut", (_name, text) => {
      expectSameAsUncut(text, text.match(/.*\n|.+$/g) ?? []);
      expectSameAsUncut(text, cutText(text, [7]));
    });

    const sentence = fc.constantFrom("more *words*", "a_{1} = $c_1$ [a]", "`code` \\$", "中文，**重点**。");
    const ending = fc.constantFrom("", "  ", "\\", "\\\\");
    const body = fc.tuple(
      fc.array(fc.tuple(sentence, ending), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 2, max: 1500 }),
    );
    const join = ([lines, count]: [string[][], number]) =>
      Array.from({ length: count }, (_, index) => lines[index % lines.length]?.join("")).join("\n");

    test("is one parse of the whole where no sign reaches over a parting", () => {
      fc.assert(
        fc.property(body, (lines) => {
          expectPartsOfParagraph(join(lines));
        }),
        { numRuns: Math.ceil(runs / 15) },
      );
    });

    test("is the same under any cut", () => {
      const sizes = fc.array(fc.integer({ min: 40, max: 6000 }), { minLength: 1 });
      const around = fc.constantFrom("", "$$\n", "[a]: /u 'x\n", "x'\n\n", "===\n", "a|b\n-|-\n", "- c\n");
      fc.assert(
        fc.property(around, body, around, body, sizes, (before, first, between, second, of) => {
          const text = `${before}${join(first)}\n${between}${join(second)}`;
          expectSameAsUncut(text, cutText(text, of));
        }),
        { numRuns: Math.ceil(runs / 30) },
      );
    });
  });

  describe("a list or quotation of more than 30,000 characters or a dozen large formulas", () => {
    const words = "words and more of them, all in one line. ".repeat(8);
    const large = "$\\sum_{k=1}^{n} \\frac{1}{k^2}$ is near $\\frac{\\pi^2}{6} - \\frac{1}{n}$.";
    const item = fc.constantFrom(
      words,
      `${words} [a]`,
      "$x = \\frac{a_1^2}{\\sqrt{b}}$ ".repeat(20),
      "a\n\n   b",
      "- c",
      "$$\n   d\n   $$",
    );
    const opener = fc.constantFrom("- ", "1. ", "7) ", "> ", "> [!TIP]\n> ");
    const text = fc
      .tuple(opener, fc.array(item, { minLength: 2, maxLength: 9 }), fc.integer({ min: 40, max: 200 }))
      .map(([first, items, count]) => {
        const start = first.replace(/\[.*/s, "");
        const written = Array.from({ length: count }, (_, index) => {
          const body = items[index % items.length] ?? "";
          return start === "> " ? `> ${body.replaceAll("\n", "\n> ")}\n>\n` : `${start}${body}\n`;
        });
        return `${first.slice(start.length)}${written.join("")}\nend [a]\n\n[a]: /u\n`;
      });
    const sizes = fc.array(fc.integer({ min: 60, max: 9000 }), { minLength: 1 });

    test("is one parse of the whole, in the same parts under any cut", () => {
      fc.assert(
        fc.property(text, sizes, (whole, of) => {
          const pieces = cutText(whole, of);
          expectSameAsWhole(whole, pieces);
          expectSameAsUncut(whole, pieces);
        }),
        { numRuns: Math.ceil(runs / 15) },
      );
    });

    test.each([
      ["bullets", `- ${large}\n`],
      ["numbers", `1. ${large}\n`],
      ["a quotation", `> ${large}\n>\n`],
    ])("of %s goes on in parts of bounded cost, and what is shown in one stays there", (_name, line) => {
      const whole = line.repeat(60);
      const parts = (blocks: readonly Block[]) =>
        blocks.map((block) => [block.key, unitsOf(block).flatMap((units) => units.map((unit) => unit.key))]);
      const last = flat(finish(append(emptySplit, whole)).blocks);
      expect(last.length).toBeGreaterThan(3);
      for (const block of last) expect(costOf(block)).toBeLessThan(1.3 * costOfPart);
      let state = emptySplit;
      for (const piece of cutText(whole, [11])) {
        state = append(state, piece);
        const shown = parts(flat(viewBlocks(state)));
        const open = shown.length - 1;
        expect(shown.slice(0, open)).toEqual(parts(last).slice(0, open));
        expect(shown[open]?.[0]).toBe(parts(last)[open]?.[0]);
      }
      const starts = last.map((block) => (block.kind === "list" ? block.start : 0));
      if (line.startsWith("1.")) expect(starts[1]).toBe(1 + flat(unitsOf(last[0] as Block)).length);
    });

    test("a list that becomes loose moves nothing of its earlier parts", () => {
      const tight = `- ${large}\n`.repeat(30);
      const lists = flat(finish(append(emptySplit, `${tight}\n${tight}`)).blocks);
      const looseness = lists.map((block) => block.kind === "list" && block.tight);
      expect(looseness[0]).toBe(true);
      expect(looseness.at(-1)).toBe(false);
    });
  });

  test("a table ends at the parser's limit of added cells, also in parts", () => {
    const head = `${"|a".repeat(70)}|\n${"|-".repeat(70)}|\n`;
    const text = `${head}${"|x|\n".repeat(1000)}`;
    expectSameAsWhole(text, text.match(/[^]{1,400}/g) ?? []);
  });
});
