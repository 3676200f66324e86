import { beforeEach, describe, expect, test } from "vitest";
import { TestClock } from "../../../test/test-clock.ts";
import { outcomeOf, sharedCheck } from "./readiness-check.ts";

describe("a check of readyz", () => {
  let clock: TestClock;
  beforeEach(() => {
    clock = new TestClock();
  });

  test("is ok, fails with a throw, and fails after two seconds; no timer stays", async () => {
    expect(await outcomeOf(async () => {}, clock)).toBe("ok");
    expect(await outcomeOf(() => Promise.reject(new Error("full")), clock)).toBe("fail");
    const late = outcomeOf(() => new Promise(() => {}), clock);
    clock.nowMs += 2000;
    expect(await late).toBe("fail");
    expect(clock.waiting).toBe(0);
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
    clock.nowMs += 999;
    expect([await check(), runs]).toEqual(["ok", 1]);
    clock.nowMs += 1;
    expect([await check(), await check(), runs]).toEqual(["fail", "fail", 2]);
    full = false;
    clock.nowMs += 1000;
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
      clock.nowMs += 2000;
      expect(await probe).toBe("fail");
    }
    expect(runs).toBe(1);
    finish();
    clock.nowMs += 1000;
    const probe = check();
    finish();
    expect(await probe).toBe("ok");
  });
});
