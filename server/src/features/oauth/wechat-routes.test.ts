import { randomUUID } from "node:crypto";
import { currentUser } from "@plumb/protocol/wire/accounts";
import { getOauthToken, startWechat, verifyWechatMobile, wechatCallback } from "@plumb/protocol/wire/oauth";
import { createSmsVerificationCode } from "@plumb/protocol/wire/verification-codes";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type BrowserStandIn, browserStandIn } from "../../../test/browser-stand-in.ts";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import { openStandInWechat, type StandInWechat, type WechatPerson } from "../../../test/stand-in-wechat.ts";
import { TestClock } from "../../../test/test-clock.ts";
import { engines } from "../../../test/test-databases.ts";
import { banAccount } from "../accounts/ban-account.ts";
import { insertUser } from "../accounts/user-store.ts";

const MINUTE = 60_000;
let people = 0;
const somebody = (): Required<WechatPerson> => {
  people += 1;
  return { openid: `o-${people}`, unionid: `u-${people}`, nickname: `小明${people}` };
};
const newMobile = () => `138${String(10_000_000 + ++people)}`;
const refusal = (error: string, code: number) => `/sign_in?provider=WECHAT&error=${error}&code=${code}`;
const UNEXPECTED = refusal("UNEXPECTED_ERROR", 9);

describe.each(engines)("signing in with WeChat on %s", (engine) => {
  let app: TestApp;
  let wechat: StandInWechat;
  let browser: BrowserStandIn;
  const time = new TestClock();
  beforeAll(async () => {
    wechat = await openStandInWechat();
    app = await createTestApp({
      engine,
      wechat: wechat.port,
      clock: time,
      settings: { EDITION: "mainland" },
    });
  });
  beforeEach(() => {
    browser = browserStandIn(app.address);
    for (const name of Object.keys(wechat.lies)) delete wechat.lies[name as keyof typeof wechat.lies];
  });
  afterAll(async () => {
    await app.close();
    await wechat.close();
  });

  const begin = async () => String((await browser.post(startWechat.path, {})).biz_data["state"]);
  const back = (state: string, code: string) =>
    `${wechatCallback.path}?${new URLSearchParams({ code, state }).toString()}`;
  const scan = async (person: WechatPerson) => browser.redirected(back(await begin(), wechat.grant(person)));
  async function pending(person: WechatPerson): Promise<string> {
    const location = await scan(person);
    expect(location).toMatch(/^\/mobile_verification\?signature=[\w-]{43}$/);
    return location.split("=")[1] ?? "";
  }
  async function codeFor(mobile: string): Promise<string> {
    time.nowMs += MINUTE;
    await app.client().ok(createSmsVerificationCode, { mobile_number: mobile });
    return app.texts.at(-1)?.code ?? "";
  }
  const verify = (body: Record<string, unknown>, by = browser) => by.post(verifyWechatMobile.path, body);
  const bind = async (person: WechatPerson, mobile: string, usage: string[] = ["research"]) =>
    verify({
      signature: await pending(person),
      area_code: "+86",
      mobile_number: mobile,
      sms_verification_code: await codeFor(mobile),
      usage,
    });
  const profileOf = async (token: unknown) => {
    const client = app.client();
    client.token = String(token);
    return (await client.ok(currentUser, {})).user;
  };

  it("begins with what the QR page is asked for, bound to a cookie", async () => {
    const response = await browser.get(startWechat.path.replace("start", "nowhere"));
    expect(response.status).toBe(404);
    const { biz_data } = await browser.post(startWechat.path, {});
    expect(biz_data).toMatchObject({
      app_id: "wx-app",
      scope: "snsapi_login",
      state: expect.stringMatching(/^beta\.[\w-]{43}$/),
      redirect_uri: `${app.address}/oauth/wechat/callback`,
    });
    const page = new URL(String(biz_data["qr_url"]));
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      appid: "wx-app",
      scope: "snsapi_login",
      state: biz_data["state"],
      redirect_uri: biz_data["redirect_uri"],
    });
    expect(browser.cookies.get("plumb_oauth")).toMatch(/^[\w-]{43}$/);
  });

  it("makes an account of a phone, and is the way into it from then on [AUTH-151] [AUTH-158] [AUTH-159]", async () => {
    const person = somebody();
    const mobile = newMobile();
    const { biz_code, biz_data } = await bind(person, mobile);
    expect([biz_code, biz_data["success_code"], biz_data["code"]]).toEqual([
      0,
      "REGISTERED_WECHAT_AND_MOBILE",
      0,
    ]);
    const user = await profileOf((biz_data["user"] as { token: string }).token);
    expect(user.id_profile).toMatchObject({ provider: "WECHAT", id: person.unionid, name: person.nickname });
    const [row] = await app.db.kysely
      .selectFrom("identities")
      .selectAll()
      .where("user_id", "=", user.id)
      .execute();
    expect(row?.usage).toBe("research");

    const again = new URL(await scan(person), app.address);
    expect([again.pathname, again.searchParams.get("new")]).toEqual(["/authorized", "0"]);
    const nonce = again.searchParams.get("nonce");
    const token = await browser.post(getOauthToken.path, { nonce, provider: "WECHAT" });
    expect((await profileOf(token.biz_data["token"])).id).toBe(user.id);
  });

  it("keeps of a long name whole characters, and each use once", async () => {
    const person = { ...somebody(), nickname: `x${"🐋".repeat(150)}` };
    const { biz_data } = await bind(person, newMobile(), ["research", "others", "research"]);
    const user = await profileOf((biz_data["user"] as { token: string }).token);
    expect(user.id_profile).toMatchObject({ name: `x${"🐋".repeat(99)}` });
    const { usage } = await app.db.kysely
      .selectFrom("identities")
      .select("usage")
      .where("user_id", "=", user.id)
      .executeTakeFirstOrThrow();
    expect(usage).toBe("research,others");
  });

  it("is bound to the account that the phone has, and to no second one [AUTH-160] [AUTH-168]", async () => {
    const mobile = newMobile();
    const first = await bind(somebody(), mobile);
    const owner = (first.biz_data["user"] as { id: string }).id;
    await app.db.kysely.deleteFrom("identities").where("user_id", "=", owner).execute();
    const second = await bind(somebody(), mobile);
    expect(second.biz_data).toMatchObject({
      success_code: "BOUND_WECHAT_TO_EXISTING_MOBILE",
      user: { id: owner },
    });
    // Nobody is told of the account that the first one made.
    const told = () =>
      app.notices.filter(({ to }) => to === `+86${mobile}`).map(({ notice }) => notice.about);
    await expect
      .poll(() => {
        time.nowMs += 1000;
        return told();
      })
      .toEqual(["wechat_bound"]);
    expect(await bind(somebody(), mobile)).toMatchObject({
      biz_code: 5,
      biz_msg: "MOBILE_BOUND_TO_OTHER_WECHAT",
    });
  });

  it("that was bound in another tab meanwhile says to which phone [AUTH-161] [AUTH-169]", async () => {
    const person = somebody();
    const mobile = newMobile();
    const [one, two, three] = [await pending(person), await pending(person), await pending(person)];
    const ask = async (signature: string, number: string) =>
      verify({ signature, mobile_number: number, sms_verification_code: await codeFor(number) });
    expect((await ask(one, mobile)).biz_code).toBe(0);
    expect(await ask(two, mobile)).toMatchObject({ biz_code: 1, biz_msg: "ACCOUNT_ALREADY_EXISTS" });
    expect(await ask(three, newMobile())).toMatchObject({
      biz_code: 6,
      biz_msg: "WECHAT_BOUND_TO_OTHER_MOBILE",
    });
  });

  it("a signature outlives a mistyped code and dies with the phone that it bound [AUTH-164] [AUTH-165] [AUTH-170]", async () => {
    const signature = await pending(somebody());
    const mobile = newMobile();
    const code = await codeFor(mobile);
    const wrong = code === "000000" ? "000001" : "000000";
    const ask = (sms: string, number = mobile, by = browser, with_ = signature) =>
      verify({ signature: with_, mobile_number: number, sms_verification_code: sms }, by);
    expect(await ask(code, "12")).toMatchObject({ biz_code: 12, biz_msg: "INVALID_MOBILE_NUMBER" });
    expect((await ask(code, mobile, browser, "short")).biz_msg).toBe("INVALID_SIGNATURE");
    expect((await ask(wrong)).biz_code).toBe(8);
    expect((await ask("abc")).biz_code).toBe(8);
    expect((await ask(code, newMobile())).biz_code).toBe(7);
    // Another browser has nothing of it.
    const other = browserStandIn(app.address);
    expect((await ask(code, mobile, other)).biz_msg).toBe("REGISTRATION_EXPIRED");
    await other.post(startWechat.path, {});
    expect((await ask(code, mobile, other)).biz_code).toBe(2);
    const many = await Promise.all(Array.from({ length: 8 }, () => ask(code)));
    expect(many.filter(({ biz_code }) => biz_code === 0)).toHaveLength(1);
    expect((await ask(await codeFor(mobile))).biz_code).toBe(2);

    const late = await pending(somebody());
    time.nowMs += 10 * MINUTE;
    expect((await ask(await codeFor(mobile), mobile, browser, late)).biz_code).toBe(2);
  });

  it("a phone that cannot be theirs spends its code alone: another one is bound without a second scan", async () => {
    const [theirs, ofBanned] = [newMobile(), newMobile()];
    await bind(somebody(), theirs);
    const { biz_data } = await bind(somebody(), ofBanned);
    await banAccount(app.db, (biz_data["user"] as { id: string }).id, time.now());

    const signature = await pending(somebody());
    const ask = async (number: string, code?: string) =>
      (
        await verify({
          signature,
          mobile_number: number,
          sms_verification_code: code ?? (await codeFor(number)),
        })
      ).biz_code;
    const code = await codeFor(theirs);
    expect(await ask(theirs, code)).toBe(5);
    expect(await ask(theirs, code)).toBe(7);
    expect(await ask(ofBanned)).toBe(10);
    expect(await ask(newMobile())).toBe(0);
    expect(await ask(newMobile())).toBe(2);
  });

  it("whose profile cannot be read, or is somebody else's, is not bound [AUTH-167]", async () => {
    wechat.lies.userinfo = { errcode: 40001, errmsg: "invalid credential" };
    expect(await bind(somebody(), newMobile())).toMatchObject({ biz_code: 3, biz_msg: "GET_PROFILE_FAILED" });
    wechat.lies.userinfo = { openid: "somebody-else", nickname: "x" };
    expect(await bind(somebody(), newMobile())).toMatchObject({ biz_code: 9, biz_msg: "INTERNAL_ERROR" });
  });

  it("a banned account is led to no token, and its phone to no binding [AUTH-166] [AUTH-152]", async () => {
    const person = somebody();
    const mobile = newMobile();
    const { biz_data } = await bind(person, mobile);
    await banAccount(app.db, (biz_data["user"] as { id: string }).id, time.now());
    expect(await scan(person)).toBe(refusal("USER_IS_BANNED", 10));
    expect(await bind(somebody(), mobile)).toMatchObject({ biz_code: 10, biz_msg: "MOBILE_IS_BANNED" });
  });

  it.each([
    [{ errcode: 40029, errmsg: "invalid code" }, refusal("SWAP_CODE_INVALID", 1)],
    [{ errcode: 40163, errmsg: "code been used" }, refusal("SWAP_CODE_INVALID", 1)],
    [{ errcode: 40125, errmsg: "invalid appsecret" }, UNEXPECTED],
    [{ errcode: -1, errmsg: "system error" }, UNEXPECTED],
    [{ openid: "o" }, UNEXPECTED],
    [[], UNEXPECTED],
    ["<html>", UNEXPECTED],
  ])("that answers %j leads to the sign-in page", async (said, location) => {
    wechat.lies.access_token = said;
    expect(await scan(somebody())).toBe(location);
  });

  it("a state is good once, in its browser, for ten minutes and for WeChat alone", async () => {
    const state = await begin();
    const other = browserStandIn(app.address);
    expect(await other.redirected(back(state, wechat.grant(somebody())))).toBe(UNEXPECTED);
    await other.post(startWechat.path, {});
    expect(await other.redirected(back(state, wechat.grant(somebody())))).toBe(UNEXPECTED);
    const google = `/api/v0/users/oauth/google/callback?code=x&state=${state.replace("beta.", "")}`;
    expect(await browser.redirected(google)).toBe("/sign_in?provider=GOOGLE&error=UNEXPECTED_ERROR&code=9");
    expect(await browser.redirected(back(state, wechat.grant(somebody())))).toMatch(/^\/mobile_verification/);
    expect(await browser.redirected(back(state, wechat.grant(somebody())))).toBe(UNEXPECTED);
    const late = await begin();
    time.nowMs += 10 * MINUTE;
    expect(await browser.redirected(back(late, wechat.grant(somebody())))).toBe(UNEXPECTED);
    for (const bad of ["", "beta.", "beta", "__proto__"])
      expect(await browser.redirected(back(bad, "x"))).toBe(UNEXPECTED);
  });

  it("while it is away, or not configured, nobody is signed in", async () => {
    wechat.lies.down = true;
    expect(await scan(somebody())).toBe(UNEXPECTED);
    const plain = await createTestApp({ engine });
    const visitor = browserStandIn(plain.address);
    expect(await visitor.post(startWechat.path, {})).toMatchObject({
      biz_code: 1,
      biz_msg: "WECHAT_NOT_CONFIGURED",
    });
    expect(await visitor.redirected(`${wechatCallback.path}?code=x&state=y`)).toBe(UNEXPECTED);
    await plain.close();
  });

  it("makes no account where signing up is closed, or from outside the regions of phones", async () => {
    for (const [settings, code] of [
      [{ EDITION: "mainland", SIGN_UP: "closed" }, 13],
      [{ EDITION: "mainland", PHONE_REGIONS: "SG" }, 14],
    ] as const) {
      const strict = await createTestApp({ engine, wechat: wechat.port, settings });
      const visitor = browserStandIn(strict.address);
      const state = String((await visitor.post(startWechat.path, {})).biz_data["state"]);
      const location = await visitor.redirected(back(state, wechat.grant(somebody())));
      const signature = location.split("=")[1];
      const makeAccount = (mobile: string) =>
        insertUser(strict.db.kysely, {
          id: randomUUID(),
          email: null,
          mobile,
          password_hash: null,
          created_at: time.now(),
        });
      /** A code is sent to the number of an account alone, after the answer. */
      const codeFor = async (number: string) => {
        await makeAccount(number);
        await strict.client().ok(createSmsVerificationCode, { mobile_number: number });
        await expect.poll(() => strict.texts.at(-1)?.to).toBe(`+86${number}`);
        return strict.texts.at(-1)?.code;
      };
      const answerFor = (number: string, sms_verification_code: string | undefined) =>
        verify({ signature, mobile_number: number, sms_verification_code }, visitor);
      const mobile = newMobile();
      const sent = await codeFor(mobile);
      await strict.db.kysely.deleteFrom("users").execute();
      expect((await answerFor(mobile, sent)).biz_code).toBe(code);
      // The phone of an account that is there is bound all the same.
      const known = newMobile();
      expect((await answerFor(known, await codeFor(known))).biz_code).toBe(0);
      await strict.close();
    }
  });
});
