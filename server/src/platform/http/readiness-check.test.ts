import { beforeEach, describe, expect, test } from "vitest";
import type { Clock } from "../../ports/clock.ts";
import { outcomeOf, sharedCheck } from "./readiness-check.ts";

describe("a check of readyz", () => {
  let nowMs: number;
  let timers: { at: number; callback: () => void }[];
  beforeEach(() => {
    nowMs = 0;
    timers = [];
  });
  const clock: Clock = {
    now: () => nowMs,
    monotonic: () => nowMs,
    after(ms, callback) {
      const timer = { at: nowMs + ms, callback };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  };
  function advance(ms: number): void {
    nowMs += ms;
    for (const timer of timers.filter(({ at }) => at <= nowMs)) timer.callback();
  }

  test("is ok, fails with a throw, and fails after two seconds; no timer stays", async () => {
    expect(await outcomeOf(async () => {}, clock)).toBe("ok");
    expect(await outcomeOf(() => Promise.reject(new Error("full")), clock)).toBe("fail");
    const late = outcomeOf(() => new Promise(() => {}), clock);
    advance(2000);
    expect(await late).toBe("fail");
    expect(timers).toEqual([]);
  });

  test("shared, runs once a second at most and tells what it then finds", async () => {
    let runs = 0;
    let full = false;
    const check = sharedCheck(async () => {
      runs += 1;
      if (full) throw new Error("full");
    }, clock);
    expect(await Promise.all([check(), check(), check()])).toEqual(["ok", "ok", "ok"]);
    full = true;
    advance(999);
    expect([await check(), runs]).toEqual(["ok", 1]);
    advance(1);
    expect([await check(), await check(), runs]).toEqual(["fail", "fail", 2]);
    full = false;
    advance(1000);
    expect([await check(), runs]).toEqual(["ok", 3]);
  });

  test("shared, does not begin again while a disk hangs, and is ok when that ends", async () => {
    let runs = 0;
    let finish = (): void => {};
    const check = sharedCheck(() => {
      runs += 1;
      return new Promise((resolve) => {
        finish = resolve;
      });
    }, clock);
    for (let probes = 0; probes < 5; probes += 1) {
      const probe = check();
      advance(2000);
      expect(await probe).toBe("fail");
    }
    expect(runs).toBe(1);
    finish();
    advance(1000);
    const probe = check();
    finish();
    expect(await probe).toBe("ok");
  });
});
