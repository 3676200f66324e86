import { describe, expect, it } from "vitest";
import { makeClientStreamId, promptProblem } from "./prompt-rules.ts";

describe("prompts", () => {
  it.each([
    ["hello", false, null],
    ["😀", false, null],
    [" \n\u3000", false, "empty"],
    ["", false, "empty"],
    ["\u200b\u2060\ufeff \n\u200d", false, "empty"],
    ["\u200b", true, null],
    ["\u200b?", false, null],
    ["", true, null],
    ["a\ud800b", false, "invalid-unicode"],
    ["\udc00", true, "invalid-unicode"],
    ["a\0", false, "invalid-unicode"],
  ])("%j with files %j: %j", (prompt, hasFiles, problem) => {
    expect(promptProblem(prompt, { hasFiles })).toBe(problem);
  });

  it("[ENG-052] makes a client stream id of the date and 16 random characters", () => {
    let next = 0;
    const id = makeClientStreamId({ year: 2026, month: 9, day: 1 }, (limit) => next++ % limit);
    expect(id).toBe("20260901-0123456789abcdef");
    expect(makeClientStreamId({ year: 2026, month: 12, day: 31 }, () => 35)).toBe(
      "20261231-zzzzzzzzzzzzzzzz",
    );
  });
});
