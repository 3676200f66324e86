import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { bizData, type FrontDoor, openFrontDoor } from "../../../test/front-door.ts";
import { engines } from "../../../test/test-databases.ts";
import { holdTransaction, statementsThatWait } from "../../../test/lock-waits.ts";
import { insertUser } from "./user-store.ts";
import { deleteCode, lockCode, replaceCode } from "./verification-code-store.ts";

const CHROME =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0";
const DAY_MS = 24 * 3600 * 1000;

interface Listed {
  id: string;
  current: boolean;
  client: string;
  region: string | null;
  created_at: number;
  last_used_at: number;
}

describe.each(engines)("one's own account on %s", (engine) => {
  let door: FrontDoor;
  let token: string;
  const open = async (changes: Parameters<typeof openFrontDoor>[1] = {}) => {
    door = await openFrontDoor(engine, changes);
    token = await door.signUp("abcd@x.org");
  };
  afterEach(() => door.close());
  const post = async (name: string, body: unknown = {}, presented = token) => {
    const { body: said } = await door.post(`/api/v0/users/${name}`, body, { token: presented });
    return said.code === 0 ? [said.data?.biz_code, said.data?.biz_msg] : said.code;
  };
  const codeOf = async (presented: string) =>
    (await door.get("/api/v0/users/current", { token: presented })).body.code;
  const login = async (userAgent: string, email = "abcd@x.org") => {
    const headers = { "user-agent": userAgent };
    const answered = await door.post(
      "/api/v0/users/login",
      { email, password: "correct horse" },
      { headers },
    );
    return bizData<{ user: { token: string } }>(answered).user.token;
  };
  const list = async (presented = token) =>
    bizData<{ sign_ins: Listed[] }>(await door.get("/api/v0/users/sign_ins", { token: presented })).sign_ins;

  describe("sign-ins", () => {
    beforeEach(() => open());

    test("are told apart by browser and time, the latest use first, of this account alone", async () => {
      const begun = door.time.nowMs;
      await door.signUp("other@x.org");
      door.time.nowMs += 60_000;
      const chrome = await login(CHROME);
      door.time.nowMs += 60_000;
      const firefox = await login(FIREFOX);
      const entry = (client: string, at: number, current: boolean) => ({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/u),
        current,
        client,
        region: null,
        created_at: at / 1000,
        last_used_at: at / 1000,
      });
      expect(await list(chrome)).toEqual([
        entry("Firefox on Windows", begun + 120_000, false),
        entry("Chrome on Linux", begun + 60_000, true),
        // What injects the requests of this test names itself.
        entry("", begun, false),
      ]);
      door.time.nowMs += 2 * 3_600_000;
      expect((await list(token))[0]).toMatchObject({ current: true, last_used_at: door.time.nowMs / 1000 });
      // One that nobody used for 30 days is none any more.
      door.time.nowMs += 29.95 * DAY_MS;
      expect(await list(token)).toHaveLength(1);
      expect(await codeOf(firefox)).toBe(40003);
    });

    test("say nothing that a header made up", async () => {
      const strange = await login("<b>Chrome/1</b> evil");
      const own = (await list(strange)).find(({ current }) => current);
      expect(own).toMatchObject({ client: "Chrome" });
    });

    test("one is ended and no other; a foreign, an unknown and an ended one are not found", async () => {
      const [chrome, foreign] = [await login(CHROME), await door.signUp("other@x.org")];
      await codeOf(chrome);
      const id = (await list(token)).find(({ client }) => client === "Chrome on Linux")?.id;
      const foreignId = (await list(foreign))[0]?.id;
      const notFound = [1, "SIGN_IN_NOT_FOUND"];
      for (const other of [foreignId, crypto.randomUUID(), "", "%", "a\0b"])
        expect(await post("end_sign_in", { id: other })).toEqual(notFound);
      expect(await post("end_sign_in", { id })).toEqual([0, ""]);
      expect(await post("end_sign_in", { id })).toEqual(notFound);
      expect([await codeOf(chrome), await codeOf(token), await codeOf(foreign)]).toEqual([40003, 0, 0]);
      const own = (await list(token)).find(({ current }) => current)?.id;
      expect(await post("end_sign_in", { id: own })).toEqual([0, ""]);
      expect(await codeOf(token)).toBe(40003);
    });

    test("the end of one is told to all that serve its streams", async () => {
      const revoked = vi.fn<(event: unknown) => Promise<void>>(async () => {});
      door.deps.events.on("tokensRevoked", revoked);
      await login(CHROME);
      const id = (await list(token)).find(({ current }) => !current)?.id;
      await post("end_sign_in", { id });
      await vi.waitFor(() => {
        expect(revoked).toHaveBeenCalledWith({ userId: expect.any(String), tokenHash: expect.any(String) });
      }, 20_000);
    });
  });

  describe("the birthday", () => {
    const user = async () =>
      bizData<{ need_birthday: boolean }>(await door.get("/api/v0/users/current", { token }));
    const speak = () => door.post("/api/v0/share/fork", { share_id: "x" }, { token });
    const birthday = (year: unknown, month: unknown) => post("set_birthday", { year, month });

    test("[ACCT-045] [ACCT-046] [ACCT-007] opens the gate with a valid answer, and the first one is kept", async () => {
      // It is January 2027.
      await open({ minAge: 13 });
      expect((await user()).need_birthday).toBe(true);
      expect((await speak()).body.code).toBe(40015);
      expect(await birthday(2014, 1)).toEqual([0, ""]);
      expect((await user()).need_birthday).toBe(false);
      expect((await speak()).body.code).toBe(0);
      expect(await birthday(2026, 12)).toEqual([0, ""]);
      expect((await user()).need_birthday).toBe(false);
    });

    test("[ACCT-047] one who is too young is signed out everywhere, stays so, and is let in when of age", async () => {
      await open({ minAge: 13 });
      expect(await birthday(2014, 3)).toEqual([2, "TOO_YOUNG"]);
      expect(await codeOf(token)).toBe(40003);
      token = await login(CHROME);
      expect((await user()).need_birthday).toBe(true);
      expect(await birthday(1980, 1)).toEqual([2, "TOO_YOUNG"]);
      expect(await codeOf(token)).toBe(40003);
      door.time.nowMs += 60 * DAY_MS;
      token = await login(CHROME);
      expect((await user()).need_birthday).toBe(false);
    });

    test("[ACCT-044] [ACCT-048] a date that cannot be is refused and ends nothing", async () => {
      await open({ minAge: 13 });
      for (const [year, month] of [
        [1899, 12],
        [2000, 0],
        [2000, 13],
        [2027, 2],
        [2028, 1],
      ])
        expect(await birthday(year, month)).toEqual([1, "INVALID_DATE"]);
      expect(await birthday("x", 1)).toBe(42200);
      expect(await birthday("1900", "1")).toEqual([0, ""]);
      expect(await codeOf(token)).toBe(0);
    });

    test("is not asked for without an age gate", async () => {
      await open();
      expect((await user()).need_birthday).toBe(false);
      expect((await speak()).body.code).toBe(0);
    });
  });

  describe("the phone", () => {
    const speak = async () => (await door.post("/api/v0/share/fork", { share_id: "x" }, { token })).body.code;
    const bind = (mobile: string, code: string, presented = token) =>
      post(
        "bind_mobile",
        { area_code: "+86", mobile_number: mobile, sms_verification_code: code },
        presented,
      );
    const sendTo = async (mobile: string) => {
      door.time.nowMs += 60_000;
      await door.askText({ mobile_number: mobile, scenario: "bind_mobile" }, { token });
      return door.texts.findLast(({ to }) => to === `+86${mobile}`)?.code ?? "";
    };
    const other = (code: string) => (code === "000000" ? "000001" : "000000");

    test("40013 until one is bound, where the operator asks for one; the next message goes through", async () => {
      await open({ requireMobile: true });
      expect(await speak()).toBe(40013);
      expect(await codeOf(token)).toBe(0);
      const code = await sendTo("13812345678");
      expect(await bind("13812345678", code)).toEqual([0, ""]);
      expect(await speak()).toBe(0);
      const { body } = await door.get("/api/v0/users/current", { token });
      expect(body.data?.biz_data).toMatchObject({ mobile_number: "138****5678", area_code: "+86" });
      const again = await sendTo("13800000000");
      expect(await bind("13800000000", again)).toEqual([13, "ALREADY_BOUND"]);
    });

    test("a number, a code and their refusals; a code is good once, and voided by five wrong ones", async () => {
      await open();
      expect(await bind("1381234567", "123456")).toEqual([12, "INVALID_MOBILE_NUMBER"]);
      expect(await bind("13812345678", "123456")).toEqual([7, "CODE_EXPIRED"]);
      const code = await sendTo("13812345678");
      for (let tries = 0; tries < 5; tries += 1)
        expect(await bind("13812345678", other(code))).toEqual([8, "CODE_WRONG"]);
      expect(await bind("13812345678", code)).toEqual([7, "CODE_EXPIRED"]);
      expect(await bind("13812345678", "12345")).toEqual([8, "CODE_WRONG"]);
      const late = await sendTo("13812345678");
      door.time.nowMs += 10 * 60_000;
      expect(await bind("13812345678", late, await login(CHROME))).toEqual([7, "CODE_EXPIRED"]);
    });

    test("that it is another's shows only to who holds a right code, and of two at once one binds it", async () => {
      await open();
      const second = await door.signUp("second@x.org");
      const code = await sendTo("13812345678");
      const both = await Promise.all([bind("13812345678", code), bind("13812345678", code, second)]);
      expect(both.map(String).sort()).toEqual(["0,", "7,CODE_EXPIRED"]);
      const loser = both[0]?.toString() === "0," ? second : token;
      expect(await bind("13812345678", "000000", loser)).toEqual([7, "CODE_EXPIRED"]);
      const right = await sendTo("13812345678");
      expect(await bind("13812345678", other(right), loser)).toEqual([8, "CODE_WRONG"]);
      expect(await bind("13812345678", right, loser)).toEqual([3, "MOBILE_ALREADY_REGISTERED"]);
    });
  });

  describe("deletion", () => {
    test("[ACCT-033] [ACCT-036] ends every token at once, and the address can be used again", async () => {
      await open();
      const second = await login(CHROME);
      await codeOf(second);
      expect(await post("unregister")).toEqual([0, ""]);
      expect([await codeOf(token), await codeOf(second)]).toEqual([40003, 40003]);
      expect(await post("unregister")).toBe(40003);
      const again = await door.post("/api/v0/users/login", {
        email: "abcd@x.org",
        password: "correct horse",
      });
      expect(again.body.data?.biz_code).toBe(2);
      expect(await door.opened.db.kysely.selectFrom("users").selectAll().execute()).toEqual([]);
      expect(await door.opened.db.kysely.selectFrom("jobs").selectAll().execute()).toEqual([]);
      const counted = await door.opened.db.kysely.selectFrom("rate_counters").select("key").execute();
      const deleted = counted.filter(({ key }) => key.startsWith("delete_"));
      expect(deleted).toHaveLength(2);
      expect(JSON.stringify(deleted)).not.toContain("x.org");
      door.time.nowMs += 60_000;
      expect(await codeOf(await door.signUp("abcd@x.org"))).toBe(0);
    });

    test("[ACCT-039] an address is deleted once a day", async () => {
      await open();
      expect(await post("unregister")).toEqual([0, ""]);
      door.time.nowMs += 60_000;
      token = await door.signUp("abcd@x.org");
      for (let tries = 0; tries < 4; tries += 1)
        expect(await post("unregister")).toEqual([2, "TOO_FREQUENT"]);
      expect(await codeOf(token)).toBe(0);
      door.time.nowMs += DAY_MS;
      expect(await post("unregister", {}, await login(CHROME))).toEqual([0, ""]);
    });

    test.runIf(engine === "postgres")(
      "and a sign-up with the same address wait for each other in one order",
      async () => {
        await open();
        const { db } = door.opened;
        const address = "abcd@x.org";
        const key = { channel: "email", target: address, scenario: "register" } as const;
        const holder = { requester: "r", network: "n" };
        await replaceCode(db.kysely, key, holder, {
          code_hash: "00",
          device_id: null,
          created_at: door.time.nowMs,
          expires_at: door.time.nowMs + DAY_MS,
        });
        // What a sign-up does: it holds its code, then asks for the address.
        const { goOn, ended: signUp } = await holdTransaction(
          db,
          (trx) => lockCode(db, trx, key, { ...holder, scenarios: ["register"] }, door.time.nowMs),
          async (trx) => {
            const account = { id: randomUUID(), email: address, mobile: null, password_hash: null };
            const user = await insertUser(trx, { ...account, created_at: 1 });
            await deleteCode(trx, { ...key, ...holder });
            return user;
          },
        );
        const deletion = post("unregister");
        await vi
          .waitFor(async () => expect(await statementsThatWait(db.kysely)).toBe(1), 10_000)
          .finally(goOn);
        const [made, said] = await Promise.all([signUp, deletion]);
        expect([made, said]).toEqual([undefined, [0, ""]]);
        expect(await db.kysely.selectFrom("users").selectAll().execute()).toEqual([]);
      },
    );

    test("one that failed on our side is no deletion: the next try deletes", async () => {
      await open();
      const { kysely } = door.opened.db;
      await sql`alter table invitations rename to away`.execute(kysely);
      expect(await post("unregister")).toBe(50000);
      await sql`alter table away rename to invitations`.execute(kysely);
      expect(await post("unregister")).toEqual([0, ""]);
      expect(await codeOf(token)).toBe(40003);
    });

    test("[ACCT-040] a banned account is refused with 3", async () => {
      await open();
      await door.opened.db.kysely.updateTable("users").set({ banned_at: 1 }).execute();
      expect(await post("unregister")).toEqual([3, "USER_IS_BANNED"]);
      expect(await door.opened.db.kysely.selectFrom("users").selectAll().execute()).toHaveLength(1);
    });

    test("[ACCT-038] an account that is gone already is not found", async () => {
      await open({ rateLimits: "off" });
      await codeOf(token);
      await door.opened.db.kysely.deleteFrom("users").execute();
      expect(await post("unregister")).toEqual([1, "NOT_FOUND"]);
    });

    test("two devices that delete at the same instant delete once", async () => {
      await open({ rateLimits: "off" });
      const second = await login(CHROME);
      await codeOf(second);
      const said = await Promise.all([post("unregister"), post("unregister", {}, second)]);
      expect(said).toContainEqual([0, ""]);
      const late = said.find((one) => String(one) !== "0,");
      expect([[1, "NOT_FOUND"], 40003, undefined]).toContainEqual(late);
      expect(await door.opened.db.kysely.selectFrom("users").selectAll().execute()).toEqual([]);
    });

    test("what broke on the way is finished later, and nobody signs in meanwhile", async () => {
      await open();
      let broken = true;
      door.deps.events.on("accountDeleting", async () => {
        if (broken) throw new Error("the disk is full");
      });
      expect(await post("unregister")).toEqual([0, ""]);
      const again = await door.post("/api/v0/users/login", {
        email: "abcd@x.org",
        password: "correct horse",
      });
      expect(again.body.data?.biz_code).toBe(2);
      const users = () => door.opened.db.kysely.selectFrom("users").select("email").execute();
      expect(await users()).toEqual([{ email: null }]);
      broken = false;
      await vi.waitFor(async () => {
        door.time.nowMs += 1000;
        expect(await users()).toEqual([]);
      }, 20_000);
    });
  });
});
