import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { groupsOf, sameMessages } from "./message-groups.ts";

const branchOf = (length: number) =>
  Array.from({ length }, (_none, index) => ({ id: index, key: `m${index}` }));

describe("the groups of a branch", () => {
  it("hold each message once and in order, with what is said of it", () => {
    fc.assert(
      fc.property(
        fc.nat(200),
        fc.integer({ min: -20, max: 200 }),
        fc.nat(200),
        fc.nat(200),
        (length, skippable, a, b) => {
          const branch = branchOf(length);
          const [from, to] = [Math.min(a, b), Math.max(a, b)];
          const told = groupsOf(branch, skippable, { from, to }).flatMap((group) =>
            group.messages.map(({ id }, index) => ({
              id,
              skippable: index < group.skippable,
              atOnce: index >= group.atOnceFrom && index < group.atOnceTo,
              isLast: index === group.last,
            })),
          );
          expect(told).toEqual(
            branch.map(({ id }) => ({
              id,
              skippable: id < skippable,
              atOnce: id >= from && id < to,
              isLast: id === length - 1,
            })),
          );
        },
      ),
    );
  });

  it("stay the same where a branch grows or changes behind them", () => {
    const [before, now] = [branchOf(1999), branchOf(2001)].map((branch) =>
      groupsOf(branch, branch.length - 12, { from: branch.length - 6, to: branch.length }),
    );
    const changed = now!.filter((group, index) => {
      const { messages, ...rest } = before![index] ?? { messages: [] };
      const { messages: grown, ...others } = group;
      return !sameMessages(messages, grown) || JSON.stringify(rest) !== JSON.stringify(others);
    });
    expect(now!.length).toBeGreaterThan(50);
    expect(changed.length).toBeLessThanOrEqual(2);
  });
});
