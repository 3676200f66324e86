import { describe, expect, it } from "vitest";
import { madeAtOnce } from "./made-at-once.ts";

const branch = (...ids: number[]) => ids.map((id) => ({ id, key: `m${id}` }));
const long = branch(...Array.from({ length: 100 }, (_none, index) => index + 1));

describe("the messages that are drawn as soon as they come", () => {
  it("are the last ones of a branch that opens at its end", () => {
    expect(madeAtOnce([], long, null)).toEqual({ from: 96, to: 100 });
  });

  it("are those around the message that was read", () => {
    expect(madeAtOnce([], long, 50)).toEqual({ from: 45, to: 61 });
  });

  it("are the last ones where that message is gone", () => {
    expect(madeAtOnce([], long, 999)).toEqual({ from: 96, to: 100 });
  });

  it("are those around the message where another branch begins", () => {
    const other = [
      ...long.slice(0, 30),
      ...branch(...Array.from({ length: 50 }, (_none, index) => index + 200)),
    ];
    expect(madeAtOnce(long, other, 1)).toEqual({ from: 26, to: 42 });
  });

  it("are those that were added at the end", () => {
    expect(madeAtOnce(long, [...long, ...branch(101, 102)], null)).toEqual({ from: 96, to: 102 });
  });
});
