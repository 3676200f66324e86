import fc from "fast-check";
import { expect, it, test } from "vitest";
import { inSmallSteps, nextCount } from "./small-steps.ts";

test.each([
  [10, 0, 200, 20],
  [150, 0, 200, 200],
  [50, 3, 200, 50],
  [50, 8, 200, 25],
  [50, 400, 200, 1],
  [1, 400, 200, 1],
])("after %i in %i ms come, of at most %i, %i", (count, ms, most, next) => {
  expect(nextCount(count, ms, most)).toBe(next);
});

it("does all there is, in steps that fit the time whatever a thing costs, and lets others in between", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 500 }),
      fc.array(fc.double({ min: 0.01, max: 6, noNaN: true }), { minLength: 1, maxLength: 20 }),
      async (all, costs) => {
        let now = 0;
        let left = all;
        let steps = 0;
        let turns = 0;
        let turn = setImmediate(function count() {
          turns += 1;
          turn = setImmediate(count);
        });
        const clock = { monotonic: () => now };
        await inSmallSteps(clock, 50, async (most) => {
          expect(most).toBeGreaterThanOrEqual(1);
          expect(most).toBeLessThanOrEqual(50);
          const cost = costs[Math.min(steps, costs.length - 1)]!;
          const done = Math.min(most, left);
          now += done * cost;
          left -= done;
          steps += 1;
          // At a steady cost a step takes little more than is good, or holds a single thing.
          if (steps > costs.length + 1) expect(most === 1 || most * cost <= 8).toBe(true);
          return left > 0;
        });
        clearImmediate(turn);
        expect(left).toBe(0);
        expect(turns).toBeGreaterThanOrEqual(steps - 1);
      },
    ),
    { numRuns: 30 },
  );
});
