import { Global } from "@plumb/protocol/wire/global-codes";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestClock } from "../../../test/test-clock.ts";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { GlobalRefusal } from "../../platform/refusal.ts";
import { RateLimits } from "./rate-limit.ts";

const START = 1_800_000_000_000;

describe.each(engines)("rate limits on %s", (engine) => {
  let opened: TestDatabase;
  let clock: TestClock;
  beforeEach(async () => {
    opened = await openTestDatabase(engine);
    clock = new TestClock(START);
  });
  afterEach(() => opened.close());
  const limits = (rateLimits: Record<string, number> | "off" = {}) =>
    new RateLimits({
      config: { rateLimits, messagesPerMinute: 3 },
      db: opened.db,
      ports: { clock },
      secretKey: "secret",
    });
  const codeOf = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => null,
      (reason: unknown) => reason,
    );
    return error instanceof GlobalRefusal ? [error.global.code, error.retryAfter] : error;
  };

  test("messages: 42900 with Retry-After beyond the limit, held over processes, new after a minute", async () => {
    for (let count = 0; count < 3; count++) await limits().requireMessage("user");
    clock.nowMs += 20_000;
    expect(await codeOf(limits().requireMessage("user"))).toEqual([Global.RateLimitReached.code, 40]);
    expect(await codeOf(limits().requireMessage("other"))).toBe(null);
    clock.nowMs += 40_000;
    expect(await codeOf(limits().requireMessage("user"))).toBe(null);
  });

  test("parallel messages never pass the limit together", async () => {
    const shared = limits();
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => shared.requireMessage("user")));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(3);
  });

  test("[AUTH-056] one code per minute and target, and ten a day", async () => {
    const one = limits();
    expect(await one.countCode(opened.db.kysely, "a@x.org", clock.nowMs)).toBe(null);
    clock.nowMs += 59_000;
    expect(await one.countCode(opened.db.kysely, "a@x.org", clock.nowMs)).toBe(1000);
    expect(await one.countCode(opened.db.kysely, "b@x.org", clock.nowMs)).toBe(null);
    for (let count = 0; count < 9; count++) {
      clock.nowMs += 60_000;
      expect(await one.countCode(opened.db.kysely, "a@x.org", clock.nowMs)).toBe(null);
    }
    clock.nowMs += 60_000;
    const wait = START + 86_400_000 - clock.nowMs;
    expect(await one.countCode(opened.db.kysely, "a@x.org", clock.nowMs)).toBe(wait);
    expect(await one.countCode(opened.db.kysely, "a@x.org", clock.nowMs)).toBe(wait);
    clock.nowMs += wait;
    expect(await one.countCode(opened.db.kysely, "a@x.org", clock.nowMs)).toBe(null);
  });

  test("an override of RATE_LIMITS counts instead of the default, 0 refuses all, off refuses none", async () => {
    const two = limits({ login_ip_minute: 2, public_ip_minute: 1, guest_ip_minute: 0 });
    const login = (one: RateLimits) =>
      codeOf(one.requireStored("login_ip_minute", "ip", Global.IpAccessRestricted));
    expect([await login(two), await login(two), await login(two)]).toEqual([null, null, [40029, 60]]);
    two.requireOfAddress("public_ip_minute", "ip", Global.IpAccessRestricted);
    expect(() => two.requireOfAddress("public_ip_minute", "ip", Global.IpAccessRestricted)).toThrow(
      GlobalRefusal,
    );
    expect(() => two.requireOfAddress("guest_ip_minute", "ip", Global.IpAccessRestricted)).toThrow(
      GlobalRefusal,
    );
    const off = limits("off");
    for (let count = 0; count < 40; count++) expect(await login(off)).toBe(null);
    for (let count = 0; count < 5; count++) {
      await off.requireMessage("user");
      expect(await off.countCode(opened.db.kysely, "a@x.org", clock.nowMs)).toBe(null);
    }
  });

  test("an IPv6 network counts by itself and with the other networks of its /48", async () => {
    const one = limits({ public_ip_minute: 2, login_ip_minute: 2 });
    const memory = async (ip: string) =>
      codeOf((async () => one.requireOfAddress("public_ip_minute", ip, Global.IpAccessRestricted))());
    const stored = (ip: string) =>
      codeOf(one.requireStored("login_ip_minute", ip, Global.IpAccessRestricted));
    for (const ask of [memory, stored]) {
      const refused = [40029, 60];
      expect([await ask("2001:db8:1:1::1"), await ask("2001:db8:1:1::2")]).toEqual([null, null]);
      expect(await ask("2001:db8:1:1::3")).toEqual(refused);
      for (let network = 2; network < 20; network++) expect(await ask(`2001:db8:1:${network}::1`)).toBe(null);
      expect(await ask("2001:db8:1:99::1")).toEqual(refused);
      expect(await ask("2001:db8:2:1::1")).toBe(null);
    }
  });

  test("before a body a user is refused only far over the class", async () => {
    const one = limits({ api_user_minute: 5, repeat_user_minute: 2 });
    const ask = async (rate: "api" | "chat", user: string) =>
      codeOf((async () => one.refuseFarOver(rate, user))());
    const refused = [Global.OperationTooFrequent.code, 60];
    // Two times three messages and two repeats; two times five calls.
    for (let count = 0; count < 10; count++) {
      expect([await ask("chat", "user"), await ask("api", "user")]).toEqual([null, null]);
    }
    expect([await ask("chat", "user"), await ask("api", "user")]).toEqual([refused, refused]);
    expect(await ask("chat", "other")).toBe(null);
    clock.nowMs += 60_000;
    expect(await ask("chat", "user")).toBe(null);
  });

  test("in memory a window ends after its minute, and a clock set back does not lengthen it", () => {
    const one = limits({ api_user_minute: 1 });
    const hit = () => one.requireOfUser("api_user_minute", "user");
    hit();
    expect(hit).toThrow(GlobalRefusal);
    clock.nowMs += 60_000;
    hit();
    clock.nowMs -= 86_400_000;
    hit();
    expect(hit).toThrow(GlobalRefusal);
  });
});
