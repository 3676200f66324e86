// Long work in steps that each stay short, so that others are served between them.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../ports/clock.ts";

/** A step should take about so long (ms), where nothing else is said. */
const GOOD_MS = 4;
const FIRST = 10;

/**
 * How many things the next step takes after one with `count` took `ms`: what a thing costs is known only then, and on a
 * slow disk it is more.
 */
export function nextCount(count: number, ms: number, most: number, goodMs = GOOD_MS): number {
  const fits = ms > goodMs ? Math.floor((count * goodMs) / ms) : ms < goodMs / 2 ? count * 2 : count;
  return Math.min(most, Math.max(1, fits));
}

/**
 * Calls `step` with how many things it may do, at most `most`, until it says that none are left. `first`: how many at first, where
 * one thing alone may take long.
 */
export async function inSmallSteps(
  clock: Pick<Clock, "monotonic">,
  limits: number | { most: number; goodMs: number; first?: number },
  step: (count: number) => Promise<boolean>,
): Promise<void> {
  const {
    most,
    goodMs,
    first = FIRST,
  } = typeof limits === "number" ? { most: limits, goodMs: GOOD_MS } : limits;
  let count = Math.min(first, most);
  for (;;) {
    const began = clock.monotonic();
    if (!(await step(count))) return;
    count = nextCount(count, clock.monotonic() - began, most, goodMs);
    // SQLite answers within the same turn of the event loop: awaiting it alone lets no other request in.
    await nextTurn();
  }
}
