import { pino } from "pino";
import { expect, test } from "vitest";
import { periodic } from "./periodic.ts";

/** A task that fails while `broken.now`, with what it logged. `tick` runs it and resolves when its run has ended. */
function openTask() {
  const lines: { level: number; failures: number }[] = [];
  const log = pino({ level: "info" }, { write: (line) => lines.push(JSON.parse(line)) });
  const broken = { now: true };
  let timers: (() => void)[] = [];
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    after(ms: number, callback: () => void) {
      expect(ms).toBe(5000);
      timers.push(callback);
      return () => {
        timers = timers.filter((timer) => timer !== callback);
      };
    },
  };
  let runs = 0;
  const task = periodic({ ports: { clock }, log }, "a task", 5000, async () => {
    runs += 1;
    if (broken.now) throw new Error("away");
  });
  async function tick(): Promise<void> {
    timers.shift()?.();
    await expect.poll(() => timers.length, { interval: 1 }).toBe(1);
  }
  return {
    task,
    lines,
    broken,
    tick,
    fire: () => timers.shift()?.(),
    waiting: () => timers.length,
    runs: () => runs,
  };
}

test("of errors in a row ever fewer are logged, and one line when the task works again", async () => {
  const { task, lines, broken, tick } = openTask();
  task.start();
  for (let run = 0; run < 100; run += 1) await tick();
  expect(lines.map(({ failures }) => failures)).toEqual([1, 2, 4, 8, 16, 32, 64]);
  broken.now = false;
  await tick();
  await tick();
  expect(lines.slice(7)).toMatchObject([{ level: 30, failures: 100 }]);
  broken.now = true;
  await tick();
  expect(lines.slice(8)).toMatchObject([{ level: 40, failures: 1 }]);
  await task.stop();
});

test("stopped, it ends the run under way and begins none", async () => {
  const { task, fire, waiting, runs } = openTask();
  task.start();
  fire();
  await task.stop();
  expect([runs(), waiting()]).toEqual([1, 0]);
});

test("stopped while it waits, it does not run", async () => {
  const { task, waiting, runs } = openTask();
  task.start();
  expect(waiting()).toBe(1);
  await task.stop();
  expect([runs(), waiting()]).toEqual([0, 0]);
});
