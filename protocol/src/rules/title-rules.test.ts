import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePointLength } from "./code-points.ts";
import { checkTitle, firstWordsTitle, questionTitle, titleInAnswer } from "./title-rules.ts";

describe("titles", () => {
  it.each([
    ["  My  chat \n again ", { ok: true, title: "My chat again" }],
    [" \u3000\n\t", { ok: false, problem: "empty" }],
    ["\u200b\u200b", { ok: false, problem: "empty" }],
    ["\u2800\u3164", { ok: false, problem: "empty" }],
    ["x".repeat(32), { ok: true, title: "x".repeat(32) }],
    ["x".repeat(33), { ok: false, problem: "too-long" }],
    ["😀".repeat(32), { ok: true, title: "😀".repeat(32) }],
  ])("typed %j: %j", (input, result) => {
    expect(checkTitle(input)).toEqual(result);
  });

  it.each([
    ["Short prompt", "Short prompt"],
    ["Explain the difference between a mutex and a semaphore", "Explain the difference between…"],
    ["Explain the difference betweenness of things", "Explain the difference…"],
    ["Explain the differences of a few things", "Explain the differences of a…"],
    ["x".repeat(32), "x".repeat(32)],
    ["x".repeat(33), `${"x".repeat(31)}…`],
    ["a " + "b".repeat(60), `a ${"b".repeat(29)}…`],
    [
      "请用中文解释一下互斥锁和信号量之间的区别以及它们各自适用的场景有哪些呢",
      "请用中文解释一下互斥锁和信号量之间的区别以及它们各自适用的场景…",
    ],
    ["\n\n```js\nlet a = 1\n```", "```js let a = 1 ```"],
    ["", ""],
  ])("first words of %j are %j", (prompt, title) => {
    expect(firstWordsTitle(prompt)).toBe(title);
  });

  it.each([
    ["Short answer with **bold", "Short answer with bold"],
    ["**Short answer** with bold", "Short answer with bold"],
    ["### **《粗体》**", "粗体"],
    ["用**粗体**写的标题。", "用粗体写的标题"],
    ["\n# A title #\nand an explanation", "A title"],
    ["---\n*Sums*", "Sums"],
    ["> _Why_ the ~~sky~~ sea is `blue", "Why the sky sea is blue"],
    ["- [Plumb](https://example.org) at **work", "Plumb at work"],
    ["Using `**kwargs` in Python", "Using **kwargs in Python"],
    ["What 2 ** 10 and 2**10 are", "What 2 ** 10 and 2**10 are"],
    ["2 * 3 * 4 = 24", "2 * 3 * 4 = 24"],
    ["What snake_case_name means", "What snake_case_name means"],
    ["Using *args in Python", "Using *args in Python"],
    ["“Quoted.”", "Quoted"],
    ["**", ""],
    ["", ""],
  ])("the title in the answer %j is %j", (answer, title) => {
    expect(titleInAnswer(answer)).toBe(title);
  });

  it("makes of any text a trimmed line of at most 32 code points without half characters", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme", minLength: 30 })),
        (text) => {
          for (const title of [firstWordsTitle(text), titleInAnswer(text), questionTitle(text, [text])]) {
            expect(codePointLength(title)).toBeLessThanOrEqual(32);
            expect(title).toBe(title.trim());
            expect(title).not.toMatch(/[\p{Cc}\p{Surrogate}]/u);
          }
        },
      ),
    );
  });
});
