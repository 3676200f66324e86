import { pino } from "pino";
import { expect, test } from "vitest";
import { TestClock } from "../../test/test-clock.ts";
import { periodic } from "./periodic.ts";

/** A task that fails while `broken.now`, with what it logged. */
function openTask() {
  const lines: { level: number; failures: number }[] = [];
  const log = pino({ level: "info" }, { write: (line) => lines.push(JSON.parse(line)) });
  const broken = { now: true };
  const clock = new TestClock();
  let runs = 0;
  const task = periodic({ ports: { clock }, log }, "a task", 5000, async () => {
    runs += 1;
    if (broken.now) throw new Error("away");
  });
  return { task, lines, broken, clock, runs: () => runs };
}

/** Lets the run that has begun end, and the next one be scheduled. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("of errors in a row ever fewer are logged, and one line when the task works again", async () => {
  const { task, lines, broken, clock } = openTask();
  async function run(times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      clock.nowMs += 5000;
      await settled();
    }
  }
  task.start();
  await run(100);
  expect(lines.map(({ failures }) => failures)).toEqual([1, 2, 4, 8, 16, 32, 64]);
  broken.now = false;
  await run(2);
  expect(lines.slice(7)).toMatchObject([{ level: 30, failures: 100 }]);
  broken.now = true;
  await run(1);
  expect(lines.slice(8)).toMatchObject([{ level: 40, failures: 1 }]);
  await task.stop();
});

test("runs when its time has come, not before, and never once it is stopped", async () => {
  const { task, clock, runs } = openTask();
  task.start();
  clock.nowMs += 4999;
  expect(runs()).toBe(0);
  clock.nowMs += 1;
  expect(runs()).toBe(1);
  await settled();
  await task.stop();
  clock.nowMs += 60_000;
  expect(runs()).toBe(1);
});

test("stopped during a run, it begins no other", async () => {
  const { task, clock, runs } = openTask();
  task.start();
  clock.nowMs += 5000;
  await task.stop();
  clock.nowMs += 60_000;
  expect(runs()).toBe(1);
});
