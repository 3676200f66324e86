import { pino } from "pino";
import { expect, test } from "vitest";
import { systemClock } from "../ports/clock.ts";
import { periodic } from "./periodic.ts";

/** A task of a second that fails while `broken.now`, and what it has logged. */
function failingTask() {
  const lines: { level: number; failures: number }[] = [];
  const log = pino({ level: "info" }, { write: (line) => lines.push(JSON.parse(line)) });
  const broken = { now: true };
  const task = periodic({ ports: { clock: systemClock }, log }, "a task", 1_000_000, async () => {
    if (broken.now) throw new Error("away");
  });
  return { task, lines, broken };
}

test("a trouble that lasts is told ever more rarely, and once when it is over", async () => {
  const { task, lines, broken } = failingTask();
  for (let run = 0; run < 100; run += 1) await task.runNow();
  expect(lines.map(({ failures }) => failures)).toEqual([1, 2, 4, 8, 16, 32, 64]);
  broken.now = false;
  await task.runNow();
  await task.runNow();
  expect(lines.slice(7)).toMatchObject([{ level: 30, failures: 100 }]);
  broken.now = true;
  await task.runNow();
  expect(lines.slice(8)).toMatchObject([{ level: 40, failures: 1 }]);
  await task.stop();
});
