import { expect, test } from "vitest";
import { BoundedQueue } from "./bounded-queue.ts";

const full = () => new Error("full");

test("runs two at once and the others in order, refuses beyond the waiting room, and goes on after a failure", async () => {
  const queue = new BoundedQueue({ atOnce: 2, maxWaiting: 3 });
  const started: number[] = [];
  const finish: (() => void)[] = [];
  const work = (index: number) =>
    queue.run(() => {
      started.push(index);
      return new Promise<number>((resolve, reject) => {
        finish[index] = () => (index === 0 ? reject(new Error("failed")) : resolve(index));
      });
    }, full);
  const results = Array.from({ length: 6 }, (_, index) => work(index));
  await expect(results[5]).rejects.toThrow("full");
  expect(started).toEqual([0, 1]);
  finish[0]?.();
  await expect(results[0]).rejects.toThrow("failed");
  expect(started).toEqual([0, 1, 2]);
  for (const index of [1, 2, 3, 4]) {
    finish[index]?.();
    expect(await results[index]).toBe(index);
  }
  expect(started).toEqual([0, 1, 2, 3, 4]);
  const again = work(6);
  finish[6]?.();
  expect(await again).toBe(6);
});
