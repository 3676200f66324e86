import { afterEach, describe, expect, test, vi } from "vitest";
import { bizData, type FrontDoor, openFrontDoor } from "../../../test/front-door.ts";
import { engines } from "../../../test/test-databases.ts";
import { holdTransaction, statementsThatWait } from "../../../test/lock-waits.ts";
import { findUser, lockUser } from "./user-store.ts";

const OLD = "correct horse";
const NEW = "battery staple";
const EMAIL = "a@x.org";
const MOBILE = "13812345678";
const other = (code: string) => (code === "000000" ? "000001" : "000000");

/** A forgotten password by mail and by phone: the same with other names. */
const ways = [
  {
    way: "email",
    who: { email: EMAIL },
    check: "/api/v0/users/check_email_code",
    reset: "/api/v0/users/email_reset_password",
    codeKey: "email_verification_code",
    ask: (door: FrontDoor) => door.askCode({ email: EMAIL, scenario: "reset_password" }),
    sent: (door: FrontDoor) => door.mails.at(-1)?.code ?? "",
  },
  {
    way: "phone",
    who: { mobile_number: MOBILE, area_code: "+86" },
    check: "/api/v0/users/check_sms_code",
    reset: "/api/v0/users/mobile_reset_password",
    codeKey: "sms_verification_code",
    ask: (door: FrontDoor) => door.askText({ mobile_number: MOBILE, scenario: "reset_password" }),
    sent: (door: FrontDoor) => door.texts.at(-1)?.code ?? "",
  },
];

describe.each(engines)("a forgotten password on %s", (engine) => {
  let door: FrontDoor;
  afterEach(() => door.close());
  const result = ({ body }: { body: { data: { biz_code: number; biz_msg: string } | null } }) => [
    body.data?.biz_code,
    body.data?.biz_msg,
  ];
  const login = (password: string) => door.post("/api/v0/users/login", { email: EMAIL, password });

  /** An account with both, signed in; the address and the number may have a code again. */
  async function withAccount(): Promise<string> {
    door = await openFrontDoor(engine);
    const token = await door.signUp(EMAIL, OLD);
    await door.opened.db.kysely.updateTable("users").set({ mobile: MOBILE, area_code: "+86" }).execute();
    door.time.nowMs += 60_000;
    return token;
  }

  describe.each(ways)("by $way", ({ who, check, reset, codeKey, ask, sent }) => {
    test("[AUTH-092] [AUTH-093] [AUTH-127] [AUTH-128] a checked code still sets a password, once, and ends every sign-in within a second", async () => {
      const token = await withAccount();
      expect((await door.get("/api/v0/users/current", { token })).body.code).toBe(0);
      await ask(door);
      const code = sent(door);
      for (let times = 0; times < 2; times++) {
        const checked = await door.post(check, { ...who, [codeKey]: code });
        expect(checked.body.data?.biz_data).toMatchObject({ code: 0, msg: "" });
      }
      const done = await door.post(reset, { ...who, [codeKey]: code, password: NEW });
      expect(done.body.data?.biz_data).toEqual({ code: 0, msg: "" });
      door.time.nowMs += 1000;
      expect((await door.get("/api/v0/users/current", { token })).body.code).toBe(40003);
      expect(result(await login(OLD))[0]).toBe(2);
      expect(result(await login(NEW))[0]).toBe(0);
      expect(result(await door.post(reset, { ...who, [codeKey]: code, password: OLD }))).toEqual([
        7,
        "RESET_EXPIRED",
      ]);
      expect(result(await login(NEW))[0]).toBe(0);
    });

    test("[AUTH-122] [AUTH-124] [AUTH-125] [AUTH-129] [AUTH-130] [AUTH-131] who has no account learns it with a right code alone; wrong and late codes are told apart", async () => {
      door = await openFrontDoor(engine, { phoneRegions: "*" });
      await ask(door);
      const code = sent(door);
      const both = async (given: string) => [
        result(await door.post(check, { ...who, [codeKey]: given })),
        result(await door.post(reset, { ...who, [codeKey]: given, password: NEW })),
      ];
      expect(await both("12345")).toEqual([
        [8, "CODE_WRONG"],
        [8, "CODE_WRONG"],
      ]);
      expect(await both(other(code))).toEqual([
        [8, "CODE_WRONG"],
        [8, "CODE_WRONG"],
      ]);
      expect(await both(code)).toEqual([
        [2, "NOT_REGISTERED"],
        [2, "NOT_REGISTERED"],
      ]);
      door.time.nowMs += 600_000;
      expect(await both(code)).toEqual([
        [7, "CODE_EXPIRED"],
        [7, "RESET_EXPIRED"],
      ]);
    });

    test("[AUTH-123] [AUTH-133] a banned account gets no password, and only a right code tells", async () => {
      await withAccount();
      await door.opened.db.kysely.updateTable("users").set({ banned_at: 1 }).execute();
      await ask(door);
      const code = sent(door);
      expect(result(await door.post(check, { ...who, [codeKey]: other(code) }))[0]).toBe(8);
      expect(result(await door.post(check, { ...who, [codeKey]: code }))).toEqual([3, "USER_IS_BANNED"]);
      expect(result(await door.post(reset, { ...who, [codeKey]: code, password: NEW }))).toEqual([
        10,
        "USER_IS_BANNED",
      ]);
    });

    test("[AUTH-132] a password that may not be set is 4, and costs no try of the code", async () => {
      await withAccount();
      await ask(door);
      const code = sent(door);
      for (const password of ["1234567", "x".repeat(51), "contraseña", " ".repeat(9)]) {
        for (let times = 0; times < 2; times++) {
          const said = await door.post(reset, { ...who, [codeKey]: other(code), password });
          expect(result(said)).toEqual([4, "INVALID_PASSWORD"]);
        }
      }
      const common = await door.post(reset, { ...who, [codeKey]: code, password: "12345678" });
      expect(result(common)).toEqual([13, "PASSWORD_TOO_COMMON"]);
      expect(result(await door.post(reset, { ...who, [codeKey]: code, password: NEW }))[0]).toBe(0);
    });

    test("five wrong tries void the code, whichever call they come by", async () => {
      await withAccount();
      await ask(door);
      const code = sent(door);
      for (let tries = 0; tries < 5; tries++) {
        const path = tries % 2 === 0 ? check : reset;
        const said = await door.post(path, { ...who, [codeKey]: other(code), password: NEW });
        expect(result(said)[0]).toBe(8);
      }
      expect(result(await door.post(check, { ...who, [codeKey]: code }))[0]).toBe(7);
      expect(result(await door.post(reset, { ...who, [codeKey]: code, password: NEW }))[0]).toBe(7);
      expect(result(await login(OLD))[0]).toBe(0);
    });

    test("of 20 resets at once with one code, one sets its password", async () => {
      await withAccount();
      await ask(door);
      const code = sent(door);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_none, index) =>
          door.post(reset, { ...who, [codeKey]: code, password: `${NEW} ${index}` }),
        ),
      );
      const codes = answers.map((said) => result(said)[0]);
      expect(codes.filter((biz) => biz === 0)).toHaveLength(1);
      expect(codes.filter((biz) => biz === 7)).toHaveLength(19);
      expect(result(await login(`${NEW} ${codes.indexOf(0)}`))[0]).toBe(0);
    });
  });

  test.runIf(engine === "postgres")(
    "and a deletion of its account at the same moment wait for each other in one order",
    async () => {
      const token = await withAccount();
      const { db } = door.opened;
      await door.askCode({ email: EMAIL, scenario: "reset_password" });
      const body = { email: EMAIL, email_verification_code: door.mails.at(-1)?.code, password: NEW };
      const userId = (await findUser(db.kysely, { email: EMAIL }))?.id ?? "";
      // Somebody holds the account until both have come.
      const { goOn, ended } = await holdTransaction(
        db,
        (trx) => lockUser(db, trx, userId),
        async () => {},
      );
      const waiting = () => statementsThatWait(db.kysely);
      const reset = door.post("/api/v0/users/email_reset_password", body);
      await vi.waitFor(async () => expect(await waiting()).toBe(1), 10_000).catch(goOn);
      const deletion = door.post("/api/v0/users/unregister", undefined, { token });
      await vi.waitFor(async () => expect(await waiting()).toBe(2), 10_000).finally(goOn);
      await ended;
      const said = await Promise.all([reset, deletion]);
      expect(said.map((answered) => [answered.body.code, answered.body.data?.biz_code])).toEqual([
        [0, 0],
        [0, 0],
      ]);
      expect(await db.kysely.selectFrom("users").selectAll().execute()).toEqual([]);
    },
  );

  test("a code for signing up resets no password, and none for a reset signs up", async () => {
    await withAccount();
    await door.askCode({ email: EMAIL, scenario: "register" });
    const body = { email: EMAIL, email_verification_code: door.mails.at(-1)?.code };
    expect(result(await door.post("/api/v0/users/check_email_code", body))[0]).toBe(7);
    await door.askCode({ email: "new@x.org", scenario: "reset_password" });
    const payload = { email: "new@x.org", email_verification_code: door.mails.at(-1)?.code, password: NEW };
    expect(result(await door.register(payload))[0]).toBe(7);
  });

  test("what is no address has no code, whatever its text holds", async () => {
    await withAccount();
    for (const email of ["", "nobody", "a\u0000@x.org", "\ud800@x.org"]) {
      const body = { email, email_verification_code: "123456", password: NEW };
      expect(result(await door.post("/api/v0/users/check_email_code", body))[0], email).toBe(7);
      expect(result(await door.post("/api/v0/users/email_reset_password", body))[0], email).toBe(7);
    }
  });

  test("who was locked out by failed passwords signs in with the new one at once", async () => {
    await withAccount();
    for (let tries = 0; tries < 10; tries++) await login("wrong");
    expect((await login(OLD)).body.code).toBe(42903);
    await door.askCode({ email: EMAIL, scenario: "reset_password" });
    const body = { email: EMAIL, email_verification_code: door.mails.at(-1)?.code, password: NEW };
    expect(result(await door.post("/api/v0/users/email_reset_password", body))[0]).toBe(0);
    expect(result(await login(NEW))[0]).toBe(0);
  });

  test("a phone account without a password gets one", async () => {
    door = await openFrontDoor(engine, { edition: "mainland" });
    await door.askText({ mobile_number: MOBILE });
    const sms = { mobile_number: MOBILE, sms_verification_code: door.texts.at(-1)?.code };
    const made = await door.guestPost("/api/v0/users/login_by_mobile_sms", sms);
    expect(bizData<{ user: { mobile: string } }>(made).user.mobile).toBe("138****5678");
    const byPassword = (password: string) => door.post("/api/v0/users/login", { mobile: MOBILE, password });
    expect(result(await byPassword(""))[0]).toBe(2);
    door.time.nowMs += 60_000;
    await door.askText({ mobile_number: MOBILE });
    const body = { mobile_number: MOBILE, sms_verification_code: door.texts.at(-1)?.code, password: NEW };
    expect(result(await door.post("/api/v0/users/mobile_reset_password", body))[0]).toBe(0);
    expect(result(await byPassword(NEW))[0]).toBe(0);
  });

  test.each(["", "12345", "23812345678", "138123456789"])("the number %j is none", async (mobile_number) => {
    door = await openFrontDoor(engine);
    const body = { mobile_number, sms_verification_code: "123456", password: NEW };
    for (const call of ["check_sms_code", "mobile_reset_password"]) {
      expect(result(await door.post(`/api/v0/users/${call}`, body))).toEqual([12, "INVALID_MOBILE_NUMBER"]);
    }
    const abroad = { ...body, mobile_number: MOBILE, area_code: "+1" };
    expect(result(await door.post("/api/v0/users/check_sms_code", abroad))[0]).toBe(12);
  });
});
