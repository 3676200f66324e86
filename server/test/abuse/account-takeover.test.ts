// Attempts to keep an account that one has held for a moment: by a stolen token, a phone of one's own, an old link.
import { accountSecurity, confirmIdentity, undoBinding, unbind } from "@plumb/protocol/wire/account-security";
import { currentUser, logout } from "@plumb/protocol/wire/accounts";
import { downloadExportHistory, exportAll } from "@plumb/protocol/wire/exports";
import { previewFile } from "@plumb/protocol/wire/files";
import { getOauthToken, googleAuthorize } from "@plumb/protocol/wire/oauth";
import { bindMobile, logoutAllSessions, setBirthday, unregister } from "@plumb/protocol/wire/own-account";
import { emailResetPassword, mobileResetPassword } from "@plumb/protocol/wire/reset-password";
import { login } from "@plumb/protocol/wire/sign-in";
import { loginByMobileSms } from "@plumb/protocol/wire/sign-up";
import { checkEmailCode, createEmailVerificationCode } from "@plumb/protocol/wire/verification-codes";
import { afterEach, describe, expect, test } from "vitest";
import type { Config } from "../../src/config.ts";
import { banAccount, unbanAccount } from "../../src/features/accounts/ban-account.ts";
import { insertIdentity } from "../../src/features/accounts/identity-store.ts";
import { endSignIns } from "../../src/features/accounts/login-tokens.ts";
import { removeBinding } from "../../src/features/accounts/remove-binding.ts";
import { lockUser } from "../../src/features/accounts/user-store.ts";
import { browserStandIn } from "../browser-stand-in.ts";
import { type Answered, bizData, type FrontDoor, openFrontDoor } from "../front-door.ts";
import { holdTransaction, statementsThatWait } from "../lock-waits.ts";
import { openStandInOpenId } from "../stand-in-openid.ts";
import { operate } from "../operate.ts";
import { testApps } from "../test-apps.ts";
import type { TestClient } from "../test-client.ts";
import { engines } from "../test-databases.ts";

const OWNER = "owner@x.org";
const PASSWORD = "correct horse";
const THIEFS_PHONE = "13800000666";
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const identityOf = (provider: "GOOGLE" | "WECHAT", userId: string, nowMs: number) => ({
  issuer: provider,
  subject: userId,
  provider,
  user_id: userId,
  name: "Ann",
  picture: null,
  locale: null,
  email: null,
  usage: null,
  created_at: nowMs,
  used_at: nowMs,
});

const said = ({ body }: Answered) => body.data?.biz_code ?? body.code;

describe.each(engines)("an account that somebody wants to keep, on %s", (engine) => {
  let door: FrontDoor;
  /** Of the owner, who has signed up a moment ago. */
  let token: string;
  /** Requests come from as many networks as there are: no limit by address is what stops anybody. */
  let networks = 0;

  async function open(config: Partial<Config> = {}): Promise<void> {
    door = await openFrontDoor(engine, { phoneRegions: "*", ...config });
    token = await door.signUp(OWNER, PASSWORD);
    door.time.nowMs += 5 * MINUTE;
  }
  afterEach(() => door.close());

  /** Codes belong to who asked for them: here all share one cookie, so that this is not what stops anybody either. */
  const from = () => ({
    ip: `10.0.0.${(networks += 1)}`,
    headers: { cookie: `plumb_code=${"a".repeat(43)}` },
  });
  const post = (call: { path: string }, body: unknown, as?: string) =>
    door.post(call.path, body, { ...from(), ...(as === undefined ? {} : { token: as }) });
  const isAlive = async (one: string) =>
    (await door.get(currentUser.path, { ...from(), token: one })).body.code === 0;

  /** A code to the phone, which whoever has it reads. */
  async function textTo(mobile: string): Promise<string> {
    door.time.nowMs += MINUTE;
    await door.askText({ mobile_number: mobile }, from());
    return door.texts.findLast(({ to }) => to === `+86${mobile}`)?.code ?? "";
  }
  async function mailTo(email: string, scenario = "reset_password"): Promise<string> {
    door.time.nowMs += MINUTE;
    await door.askCode({ email, scenario }, from());
    return door.mails.findLast(({ to }) => to === email)?.code ?? "";
  }
  const bind = async (as: string, mobile = THIEFS_PHONE) =>
    post(bindMobile, { mobile_number: mobile, sms_verification_code: await textTo(mobile) }, as);
  async function signInByText(mobile = THIEFS_PHONE): Promise<{ id: string; token: string }> {
    const body = { mobile_number: mobile, sms_verification_code: await textTo(mobile) };
    const answer = await door.guestPost(loginByMobileSms.path, body, from());
    return bizData<{ user: { id: string; token: string } }>(answer).user;
  }
  const signIn = async (password: string) => post(login, { email: OWNER, password });
  const ownersId = async () =>
    (await door.opened.db.kysely.selectFrom("users").select("id").where("email", "=", OWNER).execute())[0]
      ?.id ?? "";
  const phoneOf = async () =>
    (
      await door.opened.db.kysely
        .selectFrom("users")
        .select("mobile")
        .where("email", "=", OWNER)
        .executeTakeFirst()
    )?.mobile;

  /** The token behind the link of the last notice that the owner got. */
  async function linkOfNotice(): Promise<string> {
    await expect.poll(() => door.notices.at(-1)?.notice.link).toMatch(/\/undo_binding#[\w-]+$/);
    return door.notices.at(-1)?.notice.link?.split("#")[1] ?? "";
  }

  test("a stolen token that is older than ten minutes binds, unbinds, deletes and confirms nothing", async () => {
    await open();
    door.time.nowMs += 6 * MINUTE;
    const code = await textTo(THIEFS_PHONE);
    const binding = { mobile_number: THIEFS_PHONE, sms_verification_code: code };
    expect(said(await post(bindMobile, binding, token))).toBe(20);
    expect(said(await post(unregister, {}, token))).toBe(20);
    expect(said(await post(unbind, { kind: "phone" }, token))).toBe(20);
    const attempts: [body: object, code: number][] = [
      [{ password: "a guess" }, 2],
      [{ email_verification_code: "000000" }, 7],
      [{ email_verification_code: await mailTo(OWNER) }, 7],
      [{ sms_verification_code: code }, 9],
      [{ nonce: "n".repeat(43), provider: "GOOGLE" }, 1],
      [{ nonce: "n".repeat(43) }, 9],
      [{ password: PASSWORD, email_verification_code: "000000" }, 9],
      [{}, 9],
    ];
    for (const [body, expected] of attempts)
      expect(said(await post(confirmIdentity, body, token)), JSON.stringify(body)).toBe(expected);
    expect(said(await post(bindMobile, binding, token))).toBe(20);
    expect(await phoneOf()).toBe(null);

    // The owner confirms, and goes on with the same code: nothing of it was spent.
    expect(said(await post(confirmIdentity, { password: PASSWORD }, token))).toBe(0);
    expect(said(await post(bindMobile, binding, token))).toBe(0);
    door.time.nowMs += 10 * MINUTE;
    expect(said(await post(unregister, {}, token))).toBe(20);
  });

  test("a stolen token that is older than ten minutes gives no birthday, which would shut the owner out", async () => {
    await open({ minAge: 14 });
    door.time.nowMs += 6 * MINUTE;
    const birthday = (year: number) => post(setBirthday, { year, month: 1 }, token);
    for (const year of [new Date(door.time.nowMs).getUTCFullYear(), 3000, 1990])
      expect(said(await birthday(year))).toBe(20);
    expect(await isAlive(token)).toBe(true);
    expect(said(await post(confirmIdentity, { password: PASSWORD }, token))).toBe(0);
    expect(said(await birthday(1990))).toBe(0);
  });

  test("passwords that are guessed with a stolen token count as those of signing in", async () => {
    await open();
    const guess = () => door.post(confirmIdentity.path, { password: "a guess" }, { token });
    const codes: number[] = [];
    for (let tries = 0; tries < 12; tries += 1) codes.push(said(await guess()));
    expect(codes.filter((one) => one === 2)).toHaveLength(10);
    expect(codes.at(-1)).toBe(42_903);
  });

  test("a phone that was bound in the first minutes goes by the owner's link, with all that it brought", async () => {
    await open();
    expect(said(await bind(token))).toBe(0);
    const link = await linkOfNotice();
    expect(door.notices.map(({ to }) => to)).toEqual([OWNER]);
    const thief = await signInByText();
    expect(thief.id).toBe(await ownersId());
    const reset = { mobile_number: THIEFS_PHONE, sms_verification_code: await textTo(THIEFS_PHONE) };
    // Its reset cannot throw the owner's address out.
    const wish = { ...reset, password: "thief's own 1", unbind: ["email", "google"] };
    expect(said(await post(mobileResetPassword, wish))).toBe(0);
    const again = bizData<{ user: { token: string } }>(await signIn("thief's own 1")).user.token;
    await expect.poll(() => door.notices.at(-1)?.notice.about).toBe("password_changed");
    // What a code to the phone binds, at a time when the phone is there.
    const { kysely } = door.opened.db;
    await insertIdentity(kysely, identityOf("WECHAT", thief.id, door.time.nowMs));

    expect(bizData(await post(undoBinding, { token: link }))).toMatchObject({ code: 0, kind: "phone" });
    expect(said(await post(undoBinding, { token: link }))).toBe(0);
    expect(await kysely.selectFrom("identities").selectAll().execute()).toEqual([]);
    expect([await isAlive(again), await isAlive(thief.token), await isAlive(token)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(said(await signIn("thief's own 1"))).toBe(2);
    expect((await signInByText()).id).not.toBe(thief.id);

    // The owner comes back by the address, and binds a phone that the old link does not reach.
    const code = await mailTo(OWNER);
    const back = { email: OWNER, email_verification_code: code, password: "the owner's 2" };
    expect(said(await post(emailResetPassword, back))).toBe(0);
    const owners = bizData<{ user: { token: string } }>(await signIn("the owner's 2")).user.token;
    expect(said(await bind(owners, "13900000001"))).toBe(0);
    expect(said(await post(undoBinding, { token: link }))).toBe(1);
    expect(await phoneOf()).toBe("13900000001");
    expect(await isAlive(owners)).toBe(true);
  });

  test("the link ends what a phone has brought that the thief has removed again", async () => {
    await open();
    expect(said(await bind(token))).toBe(0);
    const link = await linkOfNotice();
    const reset = { mobile_number: THIEFS_PHONE, sms_verification_code: await textTo(THIEFS_PHONE) };
    expect(said(await post(mobileResetPassword, { ...reset, password: "thief's own 1" }))).toBe(0);
    const thief = bizData<{ user: { token: string } }>(await signIn("thief's own 1")).user.token;
    expect(said(await post(unbind, { kind: "phone" }, thief))).toBe(0);
    const told = () => door.notices.map(({ to, notice }) => [to, notice.about]);
    await expect.poll(told).toContainEqual([OWNER, "phone_unbound"]);

    expect(bizData(await post(undoBinding, { token: link }))).toMatchObject({ code: 0, kind: "phone" });
    expect(await isAlive(thief)).toBe(false);
    expect(said(await signIn("thief's own 1"))).toBe(2);
  });

  test("a phone that was bound a moment ago confirms nothing", async () => {
    await open();
    expect(said(await bind(token))).toBe(0);
    const ways = async () => bizData(await door.get(accountSecurity.path, { ...from(), token }))["ways"];
    expect(await ways()).toEqual(["password", "email"]);
    const send = () => post({ path: "/api/v0/users/confirm_code" }, { channel: "sms" }, token);
    expect(said(await send())).toBe(9);
    expect(said(await post(confirmIdentity, { sms_verification_code: "123456" }, token))).toBe(9);
    door.time.nowMs += 3 * DAY;
    expect(await ways()).toEqual(["password", "email", "sms"]);
    expect(said(await send())).toBe(0);
  });

  test("without an address the owner's ways are not exchanged for the thief's, and the owner is told", async () => {
    const provider = await openStandInOpenId();
    try {
      door = await openFrontDoor(engine, { phoneRegions: "*" }, { google: provider.port });
      const OWNERS_PHONE = "13900000001";
      const owner = await signInByText(OWNERS_PHONE);
      const { kysely } = door.opened.db;
      await insertIdentity(kysely, identityOf("GOOGLE", owner.id, door.time.nowMs));
      door.time.nowMs += 10 * DAY;
      const stolen = (await signInByText(OWNERS_PHONE)).token;

      expect(said(await post(unbind, { kind: "phone" }, stolen))).toBe(0);
      expect(said(await bind(stolen))).toBe(0);
      expect(said(await post(unbind, { kind: "google" }, stolen))).toBe(2);
      await expect
        .poll(() => door.notices.map(({ to, notice }) => [to, notice.about]))
        .toEqual([
          [`+86${OWNERS_PHONE}`, "phone_unbound"],
          [`+86${OWNERS_PHONE}`, "phone_bound"],
        ]);
      expect(said(await post(undoBinding, { token: await linkOfNotice() }))).toBe(0);
      expect(await isAlive(stolen)).toBe(false);
      expect((await signInByText()).id).not.toBe(owner.id);
      expect(await kysely.selectFrom("identities").select("user_id").execute()).toEqual([
        { user_id: owner.id },
      ]);
    } finally {
      await provider.close();
    }
  });

  test("a link that is forged, of another account or older than 72 hours undoes nothing", async () => {
    await open();
    expect(said(await bind(token))).toBe(0);
    const link = await linkOfNotice();
    const forged = [`A${link.slice(1)}`, link.slice(0, -1), "", "x".repeat(1000), token];
    for (const one of forged) expect(said(await post(undoBinding, { token: one })), one).toBe(1);
    door.time.nowMs += 3 * DAY;
    expect(said(await post(undoBinding, { token: link }))).toBe(1);
    expect(await phoneOf()).toBe(THIEFS_PHONE);
  });

  test("after logging out everywhere and a reset that unticks it, the thief's phone opens nothing of the account", async () => {
    await open();
    expect(said(await bind(token))).toBe(0);
    const thief = await signInByText();
    expect(said(await post(logoutAllSessions, {}, token))).toBe(0);
    const code = await mailTo(OWNER);
    const asked = { email: OWNER, email_verification_code: code };
    expect(bizData(await post(checkEmailCode, asked))["bound_since"]).toEqual([
      { kind: "phone", label: "138****0666", bound_at: expect.any(Number) as number },
    ]);
    const reset = { ...asked, password: "the owner's 2", unbind: ["phone"] };
    expect(said(await post(emailResetPassword, reset))).toBe(0);
    expect(await isAlive(thief.token)).toBe(false);
    const later = await signInByText();
    expect(later.id).not.toBe(await ownersId());
    // At the next reset there is nothing new.
    const next = { email: OWNER, email_verification_code: await mailTo(OWNER) };
    expect(bizData(await post(checkEmailCode, next))["bound_since"]).toEqual([]);
  });

  test("the owner who confirms by the address unbinds it, and the thief's sign-ins end", async () => {
    await open();
    expect(said(await bind(token))).toBe(0);
    const thief = await signInByText();
    door.time.nowMs += 30 * MINUTE;
    await post({ path: "/api/v0/users/confirm_code" }, { channel: "email" }, token);
    const { code, scenario } = door.mails.at(-1) ?? {};
    expect(scenario).toBe("confirm");
    expect(said(await post(confirmIdentity, { email_verification_code: code }, token))).toBe(0);
    expect(said(await post(unbind, { kind: "phone" }, token))).toBe(0);
    expect(said(await post(unbind, { kind: "phone" }, token))).toBe(1);
    expect([await isAlive(token), await isAlive(thief.token)]).toEqual([true, false]);
    expect((await signInByText()).id).not.toBe(thief.id);
  });

  test("a sign-in by text message that is under way as the phone goes is none to this account", async () => {
    await open();
    expect(said(await bind(token))).toBe(0);
    const id = await ownersId();
    const { db } = door.opened;
    const body = { mobile_number: THIEFS_PHONE, sms_verification_code: await textTo(THIEFS_PHONE) };
    const caller = from();
    const headers = { ...caller.headers, ...(await door.guestProof(loginByMobileSms.path)) };
    const { goOn, ended } = await holdTransaction(
      db,
      (trx) => lockUser(db, trx, id),
      async (trx) => {
        await removeBinding(trx, id, "phone");
        await endSignIns(db, trx, id);
      },
    );
    const signingIn = door.post(loginByMobileSms.path, body, { ...caller, headers });
    try {
      if (engine === "postgres") await expect.poll(() => statementsThatWait(db.kysely)).toBe(1);
    } finally {
      goOn();
      await ended;
    }
    const { user } = bizData<{ user: { id: string } }>(await signingIn);
    expect(user.id).not.toBe(id);
    const left = await db.kysely.selectFrom("login_tokens").select("user_id").execute();
    expect(left.map(({ user_id }) => user_id)).not.toContain(id);
  });

  test("a link that is used several times at once undoes once, and tells each that it did", async () => {
    await open();
    expect(said(await bind(token))).toBe(0);
    const link = await linkOfNotice();
    const undone = await Promise.all([1, 2, 3].map(() => post(undoBinding, { token: link })));
    expect(undone.map(said)).toEqual([0, 0, 0]);
    expect(await phoneOf()).toBe(null);
    expect(said(await signIn(PASSWORD))).toBe(0);
  });

  test("a token ends after ninety days, however much it is used", async () => {
    await open();
    const made = door.time.nowMs - 5 * MINUTE;
    for (let day = 20; day < 90; day += 20) {
      door.time.nowMs = made + day * DAY;
      expect(await isAlive(token), `day ${day}`).toBe(true);
    }
    door.time.nowMs = made + 90 * DAY - 1000;
    expect(await isAlive(token)).toBe(true);
    door.time.nowMs += 1000;
    expect(await isAlive(token)).toBe(false);
  });
});

describe.each(engines)("what somebody has kept of an account, on %s", (engine) => {
  const open = testApps({ engine });

  const ends: Record<string, (owner: TestClient, app: Awaited<ReturnType<typeof open>>) => Promise<unknown>> =
    {
      "logging out everywhere": (owner) => owner.ok(logoutAllSessions, {}),
      async "a reset"(_owner, app) {
        const email = app.mails.at(-1)?.to ?? "";
        // The code of the sign-up was sent a moment ago.
        await app.db.kysely.deleteFrom("rate_counters").execute();
        await app.client().ok(createEmailVerificationCode, { email, scenario: "reset_password" });
        const email_verification_code = app.mails.at(-1)?.code ?? "";
        await app
          .client()
          .ok(emailResetPassword, { email, email_verification_code, password: "a new one 2" });
      },
      async "a ban, also after its end"(owner, app) {
        await banAccount(app.db, owner.user?.id ?? "", Date.now());
        await unbanAccount(app.db, owner.user?.id ?? "");
      },
    };

  test.each(Object.entries(ends))("links to files and exports end with %s", async (_how, end) => {
    const app = await open();
    const owner = await app.signedIn();
    const { id } = await owner.uploaded("notes.txt", "xylophone");
    await owner.ok(exportAll, {});
    await expect.poll(async () => (await owner.ok(downloadExportHistory, {})).status).toBe("FINISHED");
    const { history_download_url: archive } = await owner.ok(downloadExportHistory, {});
    const links = [(await owner.ok(previewFile, { file_id: id })).url, archive ?? ""];
    const statuses = () => Promise.all(links.map(async (link) => (await fetch(link)).status));
    expect(await statuses()).toEqual([200, 200]);
    await owner.another().ok(accountSecurity, {});
    await end(owner, app);
    expect(await statuses()).toEqual([410, 410]);
  });

  test("signing out here leaves the links of elsewhere", async () => {
    const app = await open();
    const owner = await app.signedIn();
    const { id } = await owner.uploaded("notes.txt", "xylophone");
    const { url } = await owner.ok(previewFile, { file_id: id });
    await owner.ok(logout, {});
    expect((await fetch(url)).status).toBe(200);
  });

  test("an owner for whom somebody gave a birthday that is too young gives the right one once the operator forgot it", async () => {
    const app = await open({ settings: { MIN_AGE: "14" } });
    const owner = app.client();
    await owner.signUp(OWNER, PASSWORD);
    const give = async (year: number) =>
      (await owner.call(setBirthday, { year, month: 1 })).envelope.data?.biz_code;
    const signInAgain = async () => {
      owner.token = (await owner.ok(login, { email: OWNER, password: PASSWORD })).user?.token ?? null;
    };
    const thisYear = new Date().getUTCFullYear();
    expect(await give(thisYear)).toBe(2);
    await signInAgain();
    expect(await give(1990)).toBe(2);

    const { databaseUrl, dataDir } = app.database;
    const settings = {
      DATA_DIR: dataDir,
      SECRET_KEY: "a key for tests only",
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    };
    const forget = () => operate({ settings }, "forget-birthday", OWNER);
    expect(await forget()).toEqual({
      status: 0,
      stdout: `The birthday of ${OWNER}, ${thisYear}-01, is forgotten: it can be given once more.\n`,
      stderr: "",
    });
    expect((await forget()).stdout).toBe(`${OWNER} has given no birthday.\n`);
    await signInAgain();
    expect(await give(1990)).toBe(0);
    expect((await owner.ok(currentUser, {})).need_birthday).toBe(false);
  }, 60_000);

  test("of the last two ways in that are removed at once, one stays", async () => {
    const provider = await openStandInOpenId();
    try {
      const app = await open({ google: provider.port });
      const owner = await app.signedIn();
      const id = owner.user?.id ?? "";
      const { kysely } = app.db;
      for (let round = 0; round < 3; round += 1) {
        await kysely.deleteFrom("identities").execute();
        await insertIdentity(kysely, identityOf("GOOGLE", id, 1));
        const ways = { email: null, password_hash: null, mobile: THIEFS_PHONE };
        await kysely.updateTable("users").set(ways).where("id", "=", id).execute();
        const both = (["phone", "google"] as const).map(async (kind) => {
          const { envelope } = await owner.call(unbind, { kind });
          return envelope.data?.biz_code;
        });
        expect((await Promise.all(both)).toSorted((one = 0, other = 0) => one - other)).toEqual([0, 2]);
        const left = (await owner.ok(accountSecurity, {})).bindings;
        expect(left).toHaveLength(1);
        expect(left[0]?.removable).toBe(false);
      }
    } finally {
      await provider.close();
    }
  });

  test("a nonce of a provider that was removed meanwhile, or of another person, makes no token and confirms nothing", async () => {
    const provider = await openStandInOpenId();
    try {
      const app = await open({ google: provider.port });
      const browser = browserStandIn(app.address);
      const come = async (sub: string) => {
        const person = { sub, email: `${sub}@example.com`, email_verified: true };
        const back = provider.accept(await browser.redirected(`${googleAuthorize.path}?os=web`), person);
        const location = await browser.redirected(back.href);
        return new URL(location, app.address).searchParams.get("nonce");
      };
      const exchange = async (nonce: string | null) =>
        browser.post(getOauthToken.path, { nonce, provider: "GOOGLE" });
      const owner = app.client();
      owner.token = String((await exchange(await come("owner"))).biz_data["token"]);
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const confirm = async (nonce: string | null) =>
        (await owner.call(confirmIdentity, { nonce, provider: "GOOGLE" }, { cookie })).data as unknown as {
          code: number;
        };
      const tokens = async () =>
        (await app.db.kysely.selectFrom("login_tokens").selectAll().execute()).length;

      const before = await tokens();
      const others = await come("thief");
      expect((await confirm(others)).code).toBe(1);
      expect((await exchange(others)).biz_code).toBe(1);
      const own = await come("owner");
      expect(await confirm(own)).toMatchObject({ code: 0 });
      expect((await exchange(own)).biz_code).toBe(1);
      expect(await tokens()).toBe(before);

      const kept = [await come("owner"), await come("owner")];
      await app.db.kysely.updateTable("users").set({ password_hash: "x" }).execute();
      await owner.ok(unbind, { kind: "google" });
      expect((await exchange(kept[0] ?? null)).biz_code).toBe(1);
      expect((await confirm(kept[1] ?? null)).code).toBe(1);
    } finally {
      await provider.close();
    }
  });
});
