import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ThinkTagSplitter } from "./think-tags.ts";

interface Read {
  reasoning: string;
  /** What was said and turned out to be the thought; null: nothing did. */
  wasThought: string | null;
  text: string;
}

function read(
  pieces: readonly string[],
  startIn: "auto" | "thinking" | "text" = "auto",
  before?: string,
): Read {
  const said: Read = { reasoning: "", wasThought: null, text: "" };
  const tags = new ThinkTagSplitter(
    startIn,
    (type, text) => {
      if (type !== "text_was_thought") return void (said[type] += text);
      expect(said.wasThought).toBeNull();
      said.wasThought = said.text.trimEnd();
      said.text = "";
    },
    before,
  );
  for (const piece of pieces) tags.push(piece);
  tags.flush();
  // White space around a text is nothing.
  return { ...said, text: said.text.trim() };
}

const answer = (text: string): Read => ({ reasoning: "", wasThought: null, text: text.trim() });
const lone = (wasThought: string, text: string): Read => ({ reasoning: "", wasThought, text });

const fenced = "A chat template closes it:\n\n```text\n<think>\nHm.\n</think>\n```\n\nSo it is.";
const cases: [what: string, text: string, read: Read][] = [
  [
    "a thought in both tags",
    "<think>\nTwo and two.\n</think>\n\nFour.",
    { ...answer("Four."), reasoning: "Two and two." },
  ],
  [
    "the closing tag alone, on a line of its own",
    "Two and two.\n</think>\n\nFour.",
    lone("Two and two.", "Four."),
  ],
  [
    "it right behind the thought, before a line break",
    "Two and two</think>\n\nFour.",
    lone("Two and two", "Four."),
  ],
  ["it between two sentences", "Two and two.</think>Four.", lone("Two and two.", "Four.")],
  ["it between two sentences, before a space", "Two and two.</think> Four.", lone("Two and two.", "Four.")],
  [
    "a sentence that names it",
    "The last token is:</think>\nand so on",
    answer("The last token is:</think>\nand so on"),
  ],
  ["it between two sentences in Chinese", "二加二。</think>四。", lone("二加二。", "四。")],
  ["it before an answer with code that speaks of it", `Hm.\n</think>\n\n${fenced}`, lone("Hm.", fenced)],
  [
    "it behind a thought with code in it",
    "So `a` or\n```\nb\n```\nthen.\n</think>\n\nb",
    lone("So `a` or\n```\nb\n```\nthen.", "b"),
  ],
  [
    "it behind a thought that speaks of the tag",
    "They ask about <think> tags.\n</think>\n\nYes.",
    lone("They ask about <think> tags.", "Yes."),
  ],
  [
    "it behind a backtick that nothing closes",
    "So it is quoted by a ` sign.</think>\n\nYes.",
    lone("So it is quoted by a ` sign.", "Yes."),
  ],
  ["it with Windows' line ends", "Hm.\r\n</think>\r\n\r\nYes.", lone("Hm.", "Yes.")],
  ["it at the very beginning", "</think>\n\nFour.", answer("Four.")],
  ["it behind white space alone", "\n\n</think>\n\nFour.", answer("Four.")],
  ["it with nothing behind it", "Two and two.\n</think>\n", answer("Two and two.")],
  ["it right behind the last word", "Two and two.</think>", answer("Two and two.")],
  [
    "a second one, which is the answer's own",
    "a.\n</think>\nb.\n</think>\nc.",
    lone("a.", "b.\n</think>\nc."),
  ],
  [
    "a second one after both tags",
    "<think>a</think>b.\n</think>\nc.",
    { ...answer("b.\n</think>\nc."), reasoning: "a" },
  ],
  ...(
    [
      ["a fence", fenced],
      ["a fence in a list", "1. Write\n   ~~~\n   </think>\n   ~~~\n2. Go on"],
      ["a fence that never ends", "```\n</think>\nfour"],
      ["backticks", "The tag `</think>` ends it.\nThen comes the answer."],
      ["backticks at the end of a line", "It ends with `</think>`\nThen comes the answer."],
      ["backticks that go on in the next line", "It is `a</think>\nb` there"],
      ["two backticks", "It is ``a ` </think>\n`` there"],
      ["indented code", "Write:\n\n    </think>\n\nand go on."],
      ["an answer that shows both tags on lines of their own", "Like this:\n<think>\nHm.\n</think>\nFour."],
      ["prose", "The tag </think> ends it.\nThen comes the answer."],
      ["prose at the end of a line", "It ends with </think>\nThen comes the answer."],
      ["prose before a comma", "After the word.</think>, it goes on."],
      ["quotation marks", 'It ends with "</think>"\nThen.'],
      ["Chinese prose", "使用</think>标签结束思考。"],
      ["beginnings of tags", "a < b, </b> and </thin and </thinking> and <"],
    ] as const
  ).map(([where, text]): [string, string, Read] => [
    `an answer that speaks of the tag in ${where}`,
    text,
    answer(text),
  ]),
];

describe("reads", () => {
  test.each(cases)("%s, however it is cut", (_what, text, expected) => {
    expect(read([text])).toEqual(expected);
    expect(read([...text])).toEqual(expected);
    for (let cut = 1; cut < text.length; cut += 1)
      expect(read([text.slice(0, cut), text.slice(cut)])).toEqual(expected);
  });

  test("any text alike, however it is cut", () => {
    const word = fc.constantFrom(
      ...'a|.|。|`|```|~~~|<|>| |    |\t|\n|\n\n|- |"|<think>|</think>|</thin|四'.split("|"),
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 30 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (words, sizes) => {
          const text = words.join("");
          const pieces: string[] = [];
          for (let from = 0; from < text.length;) {
            const size = sizes.next().value as number;
            pieces.push(text.slice(from, from + size));
            from += size;
          }
          const whole = read([text]);
          expect(read(pieces)).toEqual(whole);
          // Nothing but the tags and white space is lost.
          const bare = (some: string) => some.replaceAll(/<\/?think>|\s/gu, "");
          expect(bare(whole.reasoning + (whole.wasThought ?? "") + whole.text)).toBe(bare(text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("a thought of one line that is longer than what is looked at", () => {
    for (const long of ["x".repeat(10_000), "`".repeat(10_000) + "x", `${"a `b` ".repeat(2000)}`]) {
      const text = `${long}\n</think>\n\nFour.`;
      const pieces = text.match(/.{1,7}/gsu) ?? [];
      expect(read(pieces)).toEqual(read([text]));
    }
    expect(read(`${"a `b` ".repeat(2000)}\n</think>\n\nFour.`.match(/.{1,7}/gsu) ?? []).text).toBe("Four.");
  });

  test("a continuation of what looked like an answer and was a thought", () => {
    expect(read(["and two.\n</think>\n\n", "Four."], "text", "Two ")).toEqual(lone("and two.", "Four."));
    expect(read(["</think>\nFour."], "text", "Two and two.\n")).toEqual(lone("", "Four."));
  });

  test("a continuation inside the code of an answer", () => {
    const text = "</think>\n```\nSo it is.";
    expect(read([text], "text", "Write:\n```\n")).toEqual(answer(text));
    expect(read(["</think>` ends it."], "text", "The tag `")).toEqual(answer("</think>` ends it."));
  });

  test("a continuation of an answer after a thought, which has no tag to find", () => {
    expect(read(["a.\n</think>\nb."], "text")).toEqual(answer("a.\n</think>\nb."));
  });

  test("a very long answer with very many tags in code, in time", () => {
    const text = "`</think>` ".repeat(100_000);
    const begun = performance.now();
    expect(read([text]).text).toBe(text.trim());
    expect(read(text.match(/.{1,4000}/gu) ?? []).text).toBe(text.trim());
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});
