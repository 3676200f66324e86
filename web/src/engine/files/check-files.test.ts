import fc from "fast-check";
import { expect, test } from "vitest";
import { wireFile } from "../testing/wire-file.ts";
import { checkFiles, percentThatFits, scaleOf } from "./check-files.ts";
import { sentFile } from "./draft-file.ts";

const ready = (tokens: number) =>
  sentFile(wireFile({ id: `file-${tokens}`, file_name: "a.txt", token_usage: tokens }));
const withStatus = (status: "PARSING" | "FAILED") =>
  sentFile(wireFile({ id: "file-x", file_name: "a.txt", status }));

test("how many files there are is empty, single or multi [FILE-011]", () => {
  expect([[], [1], [1, 2]].map(scaleOf)).toEqual(["empty", "single", "multi"]);
});

test("files that are on their way, or in error, hold the message back; the error is told first [ENG-042] [FILE-018]", () => {
  const room = { used: 0, budget: 1000 };
  expect(checkFiles([ready(1)], room)).toEqual({ kind: "ok" });
  expect(checkFiles([ready(1), withStatus("PARSING")], room)).toMatchObject({
    kind: "block",
    text: { key: "filesNotReady" },
  });
  expect(checkFiles([withStatus("PARSING"), withStatus("FAILED")], room)).toMatchObject({
    kind: "block",
    text: { key: "filesFailed" },
  });
});

test("one file that does not fit under a chat goes to a new one; the first of a chat does not [ENG-043]", () => {
  expect(checkFiles([ready(600)], { used: 500, budget: 1000 }).kind).toBe("new-chat");
  expect(checkFiles([ready(500)], { used: 500, budget: 1000 }).kind).toBe("ok");
  expect(checkFiles([ready(1100)], { used: 0, budget: 1000 }).kind).toBe("block");
});

test("of several that do not fit, the per cent that does is told [FILE-029]", () => {
  const text = (used: number, ...tokens: number[]) => {
    const check = checkFiles(tokens.map(ready), { used, budget: 1000 });
    return check.kind === "block" && "key" in check.text && [check.text.key, check.text.params];
  };
  expect(text(500, 400, 600)).toEqual(["filesOverBudget", { percent: 50 }]);
  expect(text(999, 60_000, 60_001)).toEqual(["filesOverBudget", { percent: 1 }]);
  expect(text(Number.POSITIVE_INFINITY, 1, 2)).toEqual(["filesOverBudget", { percent: 1 }]);
});

test("what is told is at least 1 and below 100 for what does not fit [FILE-029]", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -100, max: 100_000 }),
      fc.integer({ min: 1, max: 100_000 }),
      (room, over) => {
        const tokens = Math.max(0, room) + over;
        const percent = percentThatFits(room, tokens);
        expect(percent).toBeGreaterThanOrEqual(1);
        expect(percent).toBeLessThan(100);
        // In whole numbers: a quotient of floats is off by its last bit.
        if (percent > 1) expect(percent * tokens).toBeLessThanOrEqual(room * 100);
        expect((percent + 1) * tokens).toBeGreaterThan(room * 100);
      },
    ),
  );
});
