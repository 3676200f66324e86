import { expect, test } from "vitest";
import { BodyBudget } from "./body-budget.ts";

/** A body of `sender`; one that has come whole, and is in use, cannot be refused any more. */
function bodyOf(budget: BodyBudget, sender: string, { isWhole = false } = {}) {
  const body = {
    bytes: 0,
    asked: 0,
    refuse() {
      body.asked += 1;
      if (body.asked > 10) throw new Error("it is asked without end");
      if (!isWhole) budget.release(sender, body);
    },
  };
  return body;
}

test("of the sender that holds most the largest body is refused, until the rest fits", () => {
  const budget = new BodyBudget(100);
  const [small, large] = [bodyOf(budget, "much"), bodyOf(budget, "much")];
  const other = bodyOf(budget, "little");
  budget.grow("much", small, 20);
  budget.grow("much", large, 50);
  budget.grow("little", other, 40);
  expect([small, large, other].map(({ bytes }) => bytes)).toEqual([20, 0, 40]);
});

test("where that one has come whole, as an upload that is being stored, the next one is refused", () => {
  const budget = new BodyBudget(100);
  const whole = bodyOf(budget, "much", { isWhole: true });
  const [first, second] = [bodyOf(budget, "much"), bodyOf(budget, "much")];
  const other = bodyOf(budget, "little");
  budget.grow("much", whole, 60);
  budget.grow("much", first, 10);
  budget.grow("much", second, 10);
  budget.grow("little", other, 30);
  expect([whole, first, second, other].map(({ bytes }) => bytes)).toEqual([60, 0, 10, 30]);
});

test("where nothing of that sender can be refused it is the other's, and where nothing at all can, it is let be", () => {
  const budget = new BodyBudget(100);
  const whole = bodyOf(budget, "much", { isWhole: true });
  const other = bodyOf(budget, "little");
  budget.grow("much", whole, 90);
  budget.grow("little", other, 20);
  expect([whole.bytes, other.bytes]).toEqual([90, 0]);
  const more = bodyOf(budget, "much", { isWhole: true });
  budget.grow("much", more, 20);
  expect([whole.bytes, more.bytes]).toEqual([90, 20]);
});
