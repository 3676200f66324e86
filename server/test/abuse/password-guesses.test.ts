// Guesses at one account's password from many addresses, and attempts to lock its owner out that way.
import { Global } from "@plumb/protocol/wire/global-codes";
import { afterEach, describe, expect, test } from "vitest";
import { type Answered, type FrontDoor, openFrontDoor } from "../front-door.ts";
import { engines } from "../test-databases.ts";

const PASSWORD = "correct horse";
const GUESSES = process.env["TEST_LONG"] === "1" ? 10_000 : 100;
/** The limit per address is lifted: here it must not be what stops anybody. */
const NO_ADDRESS_LIMIT = { rateLimits: { login_ip_minute: 1_000_000 } };

describe.each(engines)("password guesses on %s", (engine) => {
  let door: FrontDoor;
  afterEach(() => door.close());

  const login = (password: string, options: { ip?: string; cookie?: string; email?: string } = {}) =>
    door.post(
      "/api/v0/users/login",
      { email: options.email ?? "owner@x.org", password },
      {
        ...(options.ip === undefined ? {} : { ip: options.ip }),
        ...(options.cookie === undefined ? {} : { headers: { cookie: options.cookie } }),
      },
    );
  const outcome = ({ body }: Answered) => body.data?.biz_code ?? body.code;
  const addressOf = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  /** What a browser keeps of Set-Cookie. */
  const cookieOf = ({ headers }: Answered) => String(headers["set-cookie"]).split(";")[0] ?? "";

  async function guessFromEverywhere(options: { email?: string } = {}): Promise<number[]> {
    const outcomes: number[] = [];
    for (let from = 0; from < GUESSES; from += 50) {
      const batch = Array.from({ length: 50 }, (_none, index) =>
        login(`guess ${from + index}`, { ...options, ip: addressOf(from + index) }),
      );
      outcomes.push(...(await Promise.all(batch)).map(outcome));
    }
    return outcomes;
  }

  test("from any number of addresses twenty are compared, of an account that exists and of one that does not", async () => {
    door = await openFrontDoor(engine, NO_ADDRESS_LIMIT);
    await door.signUp("owner@x.org", PASSWORD);
    for (const email of ["owner@x.org", "nobody@x.org"]) {
      const outcomes = await guessFromEverywhere({ email });
      expect(outcomes.filter((code) => code === 2)).toHaveLength(20);
      expect(outcomes.filter((code) => code === Global.OperationTooFrequent.code)).toHaveLength(GUESSES - 20);
    }
  });

  test("a customer of IPv6 has one count, whichever network of the /48 is used", async () => {
    door = await openFrontDoor(engine, NO_ADDRESS_LIMIT);
    await door.signUp("owner@x.org", PASSWORD);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_none, index) =>
        login("guess", { ip: `2001:db8:7:${index.toString(16)}::1` }),
      ),
    );
    expect(answers.map(outcome).filter((code) => code === 2)).toHaveLength(10);
    expect(outcome(await login(PASSWORD, { ip: "2001:db8:8::1" }))).toBe(0);
  });

  test("the owner signs in meanwhile from a browser that was signed in before", async () => {
    door = await openFrontDoor(engine, NO_ADDRESS_LIMIT);
    await door.signUp("owner@x.org", PASSWORD);
    const cookie = cookieOf(await login(PASSWORD));
    await guessFromEverywhere();
    expect(outcome(await login(PASSWORD, { ip: "192.0.2.7" }))).toBe(Global.OperationTooFrequent.code);
    const back = await login(PASSWORD, { cookie, ip: "192.0.2.7" });
    expect(outcome(back)).toBe(0);
    expect(cookieOf(back)).not.toBe(cookie);
  });

  test("also when the attacker sits behind the owner's own address", async () => {
    door = await openFrontDoor(engine, NO_ADDRESS_LIMIT);
    await door.signUp("owner@x.org", PASSWORD);
    const cookie = cookieOf(await login(PASSWORD));
    for (let tries = 0; tries < 30; tries += 1) await login("guess");
    expect(outcome(await login(PASSWORD))).toBe(Global.OperationTooFrequent.code);
    expect(outcome(await login(PASSWORD, { cookie }))).toBe(0);
  });

  test("nothing but the account's own cookie helps a guesser, and that one to ten guesses", async () => {
    door = await openFrontDoor(engine, NO_ADDRESS_LIMIT);
    await door.signUp("owner@x.org", PASSWORD);
    await door.signUp("attacker@x.org", PASSWORD);
    const own = cookieOf(await login(PASSWORD));
    const others = cookieOf(await login(PASSWORD, { email: "attacker@x.org" }));
    await guessFromEverywhere();
    const forged = `plumb_device=${"a".repeat(22)}.9999999999.${"b".repeat(43)}`;
    for (const cookie of [others, forged, `${own}x`, "plumb_device=", "plumb_device"]) {
      expect(outcome(await login("guess", { cookie, ip: "192.0.2.8" }))).toBe(
        Global.OperationTooFrequent.code,
      );
    }
    const stolen = await Promise.all(
      Array.from({ length: 50 }, (_none, index) =>
        login(`guess ${index}`, { cookie: own, ip: addressOf(index) }),
      ),
    );
    expect(stolen.map(outcome).filter((code) => code === 2)).toHaveLength(10);
  });

  test("browsers that knew the old password help nobody to guess the new one", async () => {
    door = await openFrontDoor(engine, NO_ADDRESS_LIMIT);
    await door.signUp("owner@x.org", PASSWORD);
    const collected: string[] = [];
    for (let times = 0; times < 4; times += 1) collected.push(cookieOf(await login(PASSWORD)));
    door.time.nowMs += 60_000;
    await door.askCode({ email: "owner@x.org", scenario: "reset_password" });
    const code = door.mails.at(-1)?.code;
    const body = { email: "owner@x.org", email_verification_code: code, password: "battery staple" };
    expect(outcome(await door.post("/api/v0/users/email_reset_password", body))).toBe(0);
    const outcomes: number[] = [];
    for (const [index, cookie] of collected.entries())
      for (let guess = 0; guess < 10; guess += 1)
        outcomes.push(outcome(await login(`guess ${guess}`, { cookie, ip: addressOf(10 * index + guess) })));
    expect(outcomes.filter((code) => code === 2)).toHaveLength(20);
  });

  test("a refused sign-in sets no cookie", async () => {
    door = await openFrontDoor(engine);
    await door.signUp("owner@x.org", PASSWORD);
    expect((await login("guess")).headers["set-cookie"]).toBe(undefined);
    await door.opened.db.kysely.updateTable("users").set({ banned_at: 1 }).execute();
    const banned = await login(PASSWORD);
    expect([outcome(banned), banned.headers["set-cookie"]]).toEqual([10, undefined]);
  });

  test("the cookie has its prefix where people come by https, and none on plain http", async () => {
    door = await openFrontDoor(engine, { publicUrl: "https://chat.example.org" });
    await door.signUp("owner@x.org", PASSWORD);
    const secure = String((await login(PASSWORD)).headers["set-cookie"]);
    expect(secure).toMatch(
      /^__Host-plumb_device=[^;]+; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/u,
    );
    await door.close();
    door = await openFrontDoor(engine);
    await door.signUp("owner@x.org", PASSWORD);
    const plain = String((await login(PASSWORD)).headers["set-cookie"]);
    expect(plain).toMatch(/^plumb_device=[^;]+; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/u);
  });
});
