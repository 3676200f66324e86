import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { GlobalRefusal } from "../../platform/refusal.ts";
import {
  checkCode,
  codeKeyOf,
  type CodeRequester,
  makeCode,
  smsCodeKey,
  storeCode,
} from "./verification-codes.ts";

const NOW = 1_800_000_000_000;
const codeKey = codeKeyOf("a server key");
const key = { channel: "email", target: "a@x.org", scenario: "register" } as const;

describe.each(engines)("verification codes on %s", (engine) => {
  let opened: TestDatabase;
  beforeEach(async () => {
    opened = await openTestDatabase(engine);
  });
  afterEach(() => opened.close());

  const here: CodeRequester = { browser: "mine", network: "here", site: "here", device: null };
  async function make(deviceId: string | null = null, madeWith = codeKey, requester = here): Promise<string> {
    const code = makeCode();
    await storeCode(opened.db.kysely, madeWith, key, { code, deviceId, requester }, NOW);
    return code;
  }
  const check = (
    code: string,
    {
      consume = true,
      deviceId = null as string | null,
      nowMs = NOW,
      scenario = "register",
      requester = here,
    } = {},
  ) =>
    opened.db.transaction((trx) =>
      checkCode(opened.db, trx, codeKey, { ...key, scenario }, { code, deviceId, consume, requester }, nowMs),
    );
  const other = (code: string) => (code === "000000" ? "000001" : "000000");

  test("[AUTH-050] six digits, good once; a check alone does not consume", async () => {
    const code = await make();
    expect(code).toMatch(/^\d{6}$/);
    expect(await check(code, { consume: false })).toBe("right");
    expect(await check(code)).toBe("right");
    expect(await check(code)).toBe("expired");
  });

  test("ends after ten minutes", async () => {
    const code = await make();
    expect(await check(code, { nowMs: NOW + 600_000 })).toBe("expired");
    expect(await check(code, { nowMs: NOW + 599_999 })).toBe("right");
  });

  test("five wrong tries void it, also parallel ones", async () => {
    const code = await make();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => check(other(code))));
    expect(outcomes.filter((outcome) => outcome === "wrong")).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === "expired")).toHaveLength(15);
    expect(await check(code)).toBe("expired");
  });

  test("four wrong tries leave it alive", async () => {
    const code = await make();
    for (let tries = 0; tries < 4; tries++) expect(await check(other(code))).toBe("wrong");
    expect(await check(code)).toBe("right");
  });

  test("a new code voids the older one and its tries; scenarios stand apart", async () => {
    const old = await make();
    for (let tries = 0; tries < 5; tries++) await check(other(old));
    let code = await make();
    while (code === old) code = await make();
    expect(await check(code, { scenario: "reset_password" })).toBe("expired");
    expect(await check(old)).toBe("wrong");
    expect(await check(code)).toBe("right");
  });

  test("a browser carries its code to another network, its network uses it without a cookie, and nobody else does", async () => {
    const code = await make();
    const at = (change: Partial<CodeRequester>) =>
      check(code, { consume: false, requester: { ...here, ...change } });
    expect(await at({ browser: "others", network: "there", site: "there" })).toBe("expired");
    expect(await at({ network: "there", site: "there" })).toBe("right");
    expect(await at({ browser: "none" })).toBe("right");
    expect(await at({ browser: "others" })).toBe("right");
  });

  test("several requesters hold codes for one target: none voids another's, by asking or by wrong tries", async () => {
    const there = { browser: "theirs", network: "there", site: "there", device: null };
    const mine = await make();
    let theirs = mine;
    while (theirs === mine) theirs = await make(null, codeKey, there);
    expect(await check(mine, { consume: false, requester: there })).toBe("wrong");
    for (let tries = 0; tries < 4; tries++)
      expect(await check(other(theirs), { requester: there })).toBe("wrong");
    expect(await check(theirs, { requester: there })).toBe("expired");
    expect(await check(mine)).toBe("right");
  });

  test("wrong tries of another browser in the network close the code to the network, not to its browser", async () => {
    const code = await make();
    const neighbour = { ...here, browser: "others" };
    for (let tries = 0; tries < 5; tries++)
      expect(await check(other(code), { requester: neighbour })).toBe("wrong");
    expect(await check(code, { requester: neighbour })).toBe("expired");
    expect(await check(code)).toBe("right");
  });

  test("fifty wrong tries a day of all together: ten of a network, 35 of strangers, 15 of known browsers", async () => {
    async function guessFrom(site: string, device: string | null = null): Promise<number> {
      const requester = { browser: site, network: site, site, device };
      for (let wrong = 0; ; wrong++) {
        if (wrong % 5 === 0) await make(null, codeKey, requester);
        try {
          expect(await check("none", { requester })).toBe("wrong");
        } catch (error) {
          if (!(error instanceof GlobalRefusal)) throw error;
          expect([error.global.code, error.retryAfter]).toEqual([42903, 86_400]);
          return wrong;
        }
      }
    }
    const counts = [];
    for (const site of ["1", "2", "3", "4", "5"]) counts.push(await guessFrom(site));
    expect(counts).toEqual([10, 10, 10, 5, 0]);
    expect([await guessFrom("home", "d"), await guessFrom("work", "e")]).toEqual([15, 0]);
    // The right one is no way past it.
    const stranger = { browser: "6", network: "6", site: "6", device: null };
    const right = await make(null, codeKey, stranger);
    await expect(check(right, { requester: stranger })).rejects.toThrow(GlobalRefusal);
  });

  test("parallel guesses at codes of several browsers do not pass the day's together", async () => {
    const requesters = Array.from({ length: 6 }, (_none, index) => ({ ...here, browser: `b${index}` }));
    for (const requester of requesters) await make(null, codeKey, requester);
    const outcomes = await Promise.allSettled(
      requesters.flatMap((requester) => Array.from({ length: 5 }, () => check("none", { requester }))),
    );
    const wrong = outcomes.filter((one) => one.status === "fulfilled" && one.value === "wrong");
    expect(wrong).toHaveLength(10);
  });

  test("one that was not sent looks like one that was, and no code fits", async () => {
    await storeCode(opened.db.kysely, codeKey, key, { code: null, deviceId: null, requester: here }, NOW);
    expect(await check("000000")).toBe("wrong");
    const row = await opened.db.kysely.selectFrom("verification_codes").selectAll().executeTakeFirstOrThrow();
    expect(row.code_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test("a target holds thirty live codes, the newest", async () => {
    for (let index = 0; index < 35; index++) {
      const requester = { ...here, browser: `b${index}` };
      const made = { code: "123456", deviceId: null, requester };
      await storeCode(opened.db.kysely, codeKey, key, made, NOW + index);
    }
    const rows = await opened.db.kysely.selectFrom("verification_codes").select("created_at").execute();
    expect(rows).toHaveLength(30);
    expect(Math.min(...rows.map((row) => row.created_at))).toBe(NOW + 5);
  });

  test("a code by text message is good for what it was asked for; where that was not said, for all but a confirmation", async () => {
    const uses = ["login", "register", "reset_password", "bind_mobile", "confirm"] as const;
    const goodFor = async (asked: (typeof uses)[number] | null) => {
      const sms = smsCodeKey("13800000000", asked);
      const made = { code: "123456", deviceId: null, requester: here };
      await storeCode(opened.db.kysely, codeKey, sms, made, NOW);
      const presented = { code: "123456", deviceId: null, requester: here, consume: false };
      const right = [];
      for (const use of uses) {
        const outcome = await opened.db.transaction((trx) =>
          checkCode(opened.db, trx, codeKey, smsCodeKey("13800000000", use), presented, NOW),
        );
        if (outcome === "right") right.push(use);
      }
      await opened.db.kysely.deleteFrom("verification_codes").execute();
      return right;
    };
    expect(await goodFor("login")).toEqual(["login"]);
    expect(await goodFor("confirm")).toEqual(["confirm"]);
    expect(await goodFor(null)).toEqual(["login", "register", "reset_password", "bind_mobile"]);
  });

  test("two devices that differ do not fit; an absent one always does", async () => {
    const code = await make("phone");
    expect(await check(code, { deviceId: "laptop", consume: false })).toBe("wrong");
    expect(await check(code, { deviceId: "phone", consume: false })).toBe("right");
    expect(await check(code, { deviceId: "" })).toBe("right");
    expect(await check(await make(""), { deviceId: "laptop" })).toBe("right");
  });

  test("50 parallel uses of one code: one is right", async () => {
    const code = await make();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => check(code)));
    expect(outcomes.filter((outcome) => outcome === "right")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "expired")).toHaveLength(49);
  });

  test("the table holds no code and no plain hash of one", async () => {
    const code = await make();
    const row = await opened.db.kysely.selectFrom("verification_codes").selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify({ ...row, created_at: 0, expires_at: 0, code_hash: "" })).not.toContain(code);
    expect(row.code_hash).toMatch(/^[0-9a-f]{64}$/);
    await make(null, codeKeyOf("another key"));
    expect(await check(code)).toBe("wrong");
  });
});
