import { Global } from "@plumb/protocol/wire/global-codes";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestClock } from "../../../test/test-clock.ts";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { GlobalRefusal } from "../../platform/refusal.ts";
import { type CodeRequest, RateLimits } from "./rate-limit.ts";

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

  describe("codes", () => {
    const request = { channel: "email", target: "a@x.org", requester: "here", isKnown: false } as const;
    const ask = (change: Partial<CodeRequest> = {}, one = limits()) =>
      one.countCode(opened.db.kysely, { ...request, ...change }, clock.nowMs);
    /** Until a refusal, one a minute. */
    async function askUntilRefused(change: Partial<CodeRequest> = {}): Promise<number> {
      for (let count = 0; ; count++) {
        clock.nowMs += 60_000;
        if ((await ask(change)) !== null) return count;
      }
    }

    test("[AUTH-056] one a minute to a target of a requester, and six a day", async () => {
      expect(await ask()).toBe(null);
      clock.nowMs += 59_000;
      expect(await ask()).toBe(1000);
      expect(await ask({ target: "b@x.org" })).toBe(null);
      expect(await ask({ requester: "there" })).toBe(null);
      expect(await ask({ channel: "sms" })).toBe(null);
      clock.nowMs += 1000;
      expect(await askUntilRefused()).toBe(5);
      const wait = START + 86_400_000 - clock.nowMs;
      expect(await ask()).toBe(wait);
      expect(await ask()).toBe(wait);
      clock.nowMs += wait;
      expect(await ask()).toBe(null);
    });

    test("twenty a day to a target of all strangers, and ten more of browsers that it knows", async () => {
      let sent = 0;
      for (const requester of ["1", "2", "3", "4", "5"]) sent += await askUntilRefused({ requester });
      expect(sent).toBe(20);
      expect(await askUntilRefused({ requester: "mine", isKnown: true })).toBe(10);
      expect(await ask({ requester: "my other one", isKnown: true })).toBeGreaterThan(60_000);
      expect(await ask({ target: "b@x.org" })).toBe(null);
    });

    test("the counters do not tell who asked for whom", async () => {
      await ask();
      const rows = await opened.db.kysely.selectFrom("rate_counters").select("key").execute();
      expect(rows).toHaveLength(3);
      expect(JSON.stringify(rows)).not.toContain("x.org");
    });
  });

  test("messages of the server: strangers leave a third of the hour's to known browsers, also where classes are off", async () => {
    const { kysely } = opened.db;
    const one = limits({ message_server_hour: 9 });
    const count = (isKnown: boolean) => one.countMessage(kysely, isKnown, clock.nowMs);
    for (let sent = 0; sent < 6; sent++) expect(await count(false)).toBe(null);
    clock.nowMs += 600_000;
    expect(await one.waitForMessage(kysely, false, clock.nowMs)).toBe(3_000_000);
    expect(await count(false)).toBe(3_000_000);
    for (let sent = 0; sent < 3; sent++) expect(await count(true)).toBe(null);
    expect(await one.waitForMessage(kysely, true, clock.nowMs)).toBe(3_000_000);
    expect(await count(true)).toBe(3_000_000);
    await one.uncountMessage(kysely, false, clock.nowMs);
    expect([await count(false), await count(false)]).toEqual([null, 3_000_000]);
    clock.nowMs += 3_000_000;
    expect(await one.waitForMessage(kysely, false, clock.nowMs)).toBe(null);
    const off = limits("off");
    const kept = await Promise.all(
      Array.from({ length: 601 }, () => off.countMessage(kysely, true, clock.nowMs)),
    );
    expect(kept.filter((wait) => wait !== null)).toHaveLength(1);
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
      const request = { channel: "email", target: "a@x.org", requester: "here", isKnown: false } as const;
      expect(await off.countCode(opened.db.kysely, request, clock.nowMs)).toBe(null);
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
