import { describe, expect, it } from "vitest";
import { madeAtOnce } from "./made-at-once.ts";

const branch = (...ids: number[]) => ids.map((id) => ({ id, key: `m${id}` }));
const long = branch(...Array.from({ length: 100 }, (_none, index) => index + 1));

const heights = { screen: 1000, of: () => 300 };
const opened = (now: typeof long, read: number | null, before: typeof long = []) =>
  madeAtOnce(before, now, read, heights);

describe("the messages that are drawn as soon as they come", () => {
  it("are the last ones of a branch that opens at its end", () => {
    expect(opened(long, null)).toEqual({ from: 95, to: 100 });
  });

  it("are those around the message that was read", () => {
    expect(opened(long, 50)).toEqual({ from: 45, to: 61 });
  });

  it("are the last ones where that message is gone", () => {
    expect(opened(long, 999)).toEqual({ from: 95, to: 100 });
  });

  it("are those around the message where another branch begins", () => {
    const other = [
      ...long.slice(0, 30),
      ...branch(...Array.from({ length: 50 }, (_none, index) => index + 200)),
    ];
    expect(opened(other, 1, long)).toEqual({ from: 26, to: 42 });
  });

  it("are those that were added at the end", () => {
    expect(opened([...long, ...branch(101, 102)], null, long)).toEqual({ from: 96, to: 102 });
  });

  it("fill the screen and a quarter at the end, but are four at least and twelve at most", () => {
    const from = (height: number) => madeAtOnce([], long, null, { screen: 1000, of: () => height }).from;
    expect([5000, 500, 250, 100].map(from)).toEqual([96, 96, 95, 88]);
    expect(opened(branch(1, 2, 3), null)).toEqual({ from: 0, to: 3 });
  });
});
