import { afterEach, describe, expect, test } from "vitest";
import { bizData, type FrontDoor, openFrontDoor } from "../../../test/front-door.ts";
import { engines } from "../../../test/test-databases.ts";

const MOBILE = "13812345678";
const PASSWORD = "correct horse";
const LOGIN = "/api/v0/users/login_by_mobile_sms";
const REGISTER = "/api/v0/users/register_by_mobile";
const other = (code: string) => (code === "000000" ? "000001" : "000000");
const mainland = { edition: "mainland" } as const;
const anywhere = { phoneRegions: "*" } as const;

describe.each(engines)("signing up and in by phone on %s", (engine) => {
  let door: FrontDoor;
  afterEach(() => door.close());
  const result = ({ body }: { body: { data: { biz_code: number; biz_msg: string } | null } }) => [
    body.data?.biz_code,
    body.data?.biz_msg,
  ];
  const lastCode = () => door.texts.at(-1)?.code ?? "123456";
  const codeLogin = (change: Record<string, unknown> = {}) =>
    door.guestPost(LOGIN, {
      mobile_number: MOBILE,
      area_code: "+86",
      sms_verification_code: lastCode(),
      locale: "zh_CN",
      region: "CN",
      os: "web",
      ...change,
    });
  const register = (change: Record<string, unknown> = {}, rest: Record<string, unknown> = {}) =>
    door.guestPost(REGISTER, {
      payload: {
        area_code: "+86",
        mobile_number: MOBILE,
        sms_verification_code: lastCode(),
        audit_json_str: '{"reasons":[]}',
        password: PASSWORD,
        ...change,
      },
      os: "web",
      ...rest,
    });
  async function openWithCode(changes = {}): Promise<void> {
    door = await openFrontDoor(engine, { ...mainland, ...changes });
    await door.askText({ mobile_number: MOBILE });
  }

  test("[AUTH-078] a code goes to the number, with what the gateway is told", async () => {
    door = await openFrontDoor(engine, anywhere);
    const sent = await door.askText({
      mobile_number: ` ${MOBILE} `,
      area_code: "86",
      locale: "zh_CN",
      device_id: "d",
      turnstile_token: null,
      scenario: "register",
    });
    expect(sent.body.data?.biz_data).toEqual({ code: 0, msg: "", send_window_secs: 60 });
    expect(door.texts).toEqual([
      {
        to: `+86${MOBILE}`,
        code: expect.stringMatching(/^\d{6}$/u) as string,
        locale: "zh_CN",
        scenario: "register",
      },
    ]);
  });

  test("[AUTH-079] [AUTH-081] [AUTH-082] one a minute; no number, one of elsewhere, and a gateway that fails", async () => {
    door = await openFrontDoor(engine, anywhere);
    await door.askText({ mobile_number: MOBILE });
    door.time.nowMs += 20_000;
    expect((await door.askText({ mobile_number: MOBILE })).body.data).toMatchObject({
      biz_code: 1,
      biz_data: { code: 1, msg: "SMS_SEND_TOO_FREQUENT", send_window_secs: 40 },
    });
    expect(door.texts).toHaveLength(1);
    expect(result(await door.askText({}))).toEqual([3, "NO_MOBILE_NUMBER"]);
    expect(result(await door.askText({ mobile_number: "12345" }))).toEqual([12, "INVALID_MOBILE_NUMBER"]);
    expect(result(await door.askText({ mobile_number: MOBILE, area_code: "+1" }))[0]).toBe(12);
    door.gateway.fails = true;
    expect(result(await door.askText({ mobile_number: "13900000000" }))).toEqual([99, "SMS_CLOUD_ERROR"]);
    const codes = await door.opened.db.kysely.selectFrom("verification_codes").select("target").execute();
    expect(codes).toEqual([{ target: MOBILE }]);
  });

  test("a gateway or a mail server that is away costs a target nothing, and the IP its codes of the hour", async () => {
    door = await openFrontDoor(engine, { ...anywhere, rateLimits: { code_ip_hour: 3 } });
    const email = "a@x.org";
    const asks = [
      { ask: () => door.askText({ mobile_number: MOBILE, scenario: "bind_mobile" }), port: door.gateway },
      { ask: () => door.askCode({ email, scenario: "reset_password" }), port: door.mailer },
    ];
    for (const { ask, port } of asks) {
      port.fails = true;
      for (const press of [1, 2]) expect([press, result(await ask())[0]]).toEqual([press, 99]);
      port.fails = false;
      expect(result(await ask())[0]).toBe(0);
    }
    for (const { ask } of asks) expect((await ask()).body.code).toBe(40029);
  });

  test("a resend that fails leaves the code before as it was", async () => {
    await openWithCode();
    door.time.nowMs += 60_000;
    door.gateway.fails = true;
    expect(result(await door.askText({ mobile_number: MOBILE }))[0]).toBe(99);
    expect(result(await codeLogin())[0]).toBe(0);
  });

  test("six codes a day to one number from one network, whatever they are for", async () => {
    door = await openFrontDoor(engine, { ...anywhere, rateLimits: { code_ip_hour: 1000 } });
    for (let sent = 0; sent < 6; sent++) {
      expect(result(await door.askText({ mobile_number: MOBILE, scenario: `s${sent % 3}` }))[0]).toBe(0);
      door.time.nowMs += 60_000;
    }
    const said = await door.askText({ mobile_number: MOBILE });
    expect(said.body.data).toMatchObject({ biz_code: 1, biz_data: { send_window_secs: 86_040 } });
  });

  test("[AUTH-080] [AUTH-087] nothing is sent unless the captcha holds", async () => {
    const asked: unknown[] = [];
    const captcha = {
      passes: async (answer: { hcaptcha_token: string | null }, ip: string) => {
        asked.push([answer.hcaptcha_token, ip]);
        return answer.hcaptcha_token === "good";
      },
    };
    const settings = { CAPTCHA: "hcaptcha", CAPTCHA_SITE_KEY: "k", CAPTCHA_SECRET: "s" };
    door = await openFrontDoor(engine, anywhere, { captcha, settings });
    expect(result(await door.askText({ mobile_number: MOBILE, hcaptcha_token: "bad" }))).toEqual([
      2,
      "CAPTCHA_FAILED",
    ]);
    expect(result(await door.askCode({ email: "a@x.org" }))).toEqual([2, "CAPTCHA_FAILED"]);
    expect([door.texts, door.mails]).toEqual([[], []]);
    expect(result(await door.askText({ mobile_number: MOBILE, hcaptcha_token: "good" }))[0]).toBe(0);
    expect(result(await door.askCode({ email: "a@x.org", hcaptcha_token: "good" }))[0]).toBe(0);
    expect(asked).toEqual([
      ["bad", "192.0.2.1"],
      [null, "192.0.2.1"],
      ["good", "192.0.2.1"],
      ["good", "192.0.2.1"],
    ]);
  });

  test("[AUTH-098] [AUTH-099] [AUTH-100] a code makes the account, and signs in to it the next time with 1", async () => {
    await openWithCode();
    const made = await codeLogin();
    expect(made.body.data).toMatchObject({ biz_code: 0, biz_data: { code: 0, msg: "" } });
    const first = bizData<{ user: { token: string; id: string } }>(made).user;
    expect(first).toMatchObject({ mobile: "138****5678", area_code: "+86", email: "" });
    expect((await door.get("/api/v0/users/current", { token: first.token })).body.code).toBe(0);
    expect(made.headers["set-cookie"]).toMatch(/plumb_device=/u);

    door.time.nowMs += 60_000;
    await door.askText({ mobile_number: MOBILE });
    const again = await codeLogin();
    expect(again.body.data).toMatchObject({
      biz_code: 1,
      biz_msg: "LOGIN_TO_EXISTING_ACCOUNT",
      biz_data: { code: 1, msg: "LOGIN_TO_EXISTING_ACCOUNT", user: { id: first.id } },
    });
    const { token } = bizData<{ user: { token: string } }>(again).user;
    expect(token).not.toBe(first.token);
    expect((await door.get("/api/v0/users/current", { token })).body.code).toBe(0);
  });

  test("[AUTH-101] [AUTH-103] [AUTH-104] wrong, late and used codes; a banned account shows to who holds a right one", async () => {
    await openWithCode();
    const code = lastCode();
    expect(result(await codeLogin({ sms_verification_code: "12345a" }))).toEqual([8, "CODE_WRONG"]);
    expect(result(await codeLogin({ sms_verification_code: other(code) }))).toEqual([8, "CODE_WRONG"]);
    expect(result(await codeLogin({ mobile_number: "12345" }))).toEqual([12, "INVALID_MOBILE_NUMBER"]);
    expect(result(await codeLogin())[0]).toBe(0);
    expect(result(await codeLogin())).toEqual([7, "CODE_EXPIRED"]);
    await door.opened.db.kysely.updateTable("users").set({ banned_at: 1 }).execute();
    door.time.nowMs += 60_000;
    await door.askText({ mobile_number: MOBILE });
    expect(result(await codeLogin({ sms_verification_code: other(lastCode()) }))[0]).toBe(8);
    expect(result(await codeLogin())).toEqual([3, "USER_IS_BANNED"]);
  });

  test("a code that one device asked for is not good for another", async () => {
    door = await openFrontDoor(engine, mainland);
    await door.askText({ mobile_number: MOBILE, device_id: "mine" });
    expect(result(await codeLogin({ device_id: "yours" }))).toEqual([8, "CODE_WRONG"]);
    expect(result(await codeLogin({ device_id: "mine" }))[0]).toBe(0);
  });

  test("[AUTH-115] [AUTH-116] a number, a password and a code make an account that signs in by both", async () => {
    await openWithCode();
    const made = await register({}, { locale: "zh_CN", region: "CN", device_id: null });
    expect(made.body.data?.biz_data).toMatchObject({ code: 0, msg: "", user: { mobile: "138****5678" } });
    const byPassword = await door.post("/api/v0/users/login", { mobile: MOBILE, password: PASSWORD });
    expect(result(byPassword)[0]).toBe(0);
  });

  test("[AUTH-117] [AUTH-118] [AUTH-120] [AUTH-121] what keeps a number from being registered", async () => {
    await openWithCode();
    const code = lastCode();
    expect(result(await register({ sms_verification_code: "12345" }))).toEqual([2, "SMS_CODE_INVALID"]);
    expect(result(await register({ mobile_number: "2" }))).toEqual([12, "INVALID_MOBILE_NUMBER"]);
    expect(result(await register({ password: "1234567" }))).toEqual([4, "INVALID_PASSWORD"]);
    expect(result(await register({ password: "x".repeat(51) }))).toEqual([4, "INVALID_PASSWORD"]);
    expect(result(await register({ password: "1234567890" }))).toEqual([13, "PASSWORD_TOO_COMMON"]);
    expect(result(await register({ sms_verification_code: other(code) }))).toEqual([8, "CODE_WRONG"]);
    expect(result(await register())[0]).toBe(0);
    expect(result(await register())).toEqual([7, "CODE_EXPIRED"]);
    door.time.nowMs += 60_000;
    await door.askText({ mobile_number: MOBILE });
    expect(result(await register({ sms_verification_code: other(lastCode()) }))[0]).toBe(8);
    expect(result(await register())).toEqual([3, "MOBILE_ALREADY_REGISTERED"]);
    expect(await door.opened.db.kysely.selectFrom("users").selectAll().execute()).toHaveLength(1);
  });

  test("50 parallel uses of one code make one account and one sign-in", async () => {
    await openWithCode({ rateLimits: "off" });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_none, index) => (index % 2 === 0 ? codeLogin() : register())),
    );
    const codes = answers.map((answered) => result(answered)[0]);
    expect(codes.filter((code) => code === 0)).toHaveLength(1);
    expect(codes.filter((code) => code === 7)).toHaveLength(49);
    expect(await door.opened.db.kysely.selectFrom("login_tokens").selectAll().execute()).toHaveLength(1);
  });

  test("[AUTH-003] [AUTH-102] [AUTH-119] only the regions of PHONE_REGIONS; * lets all in", async () => {
    door = await openFrontDoor(engine);
    await door.askText({ mobile_number: MOBILE });
    expect(result(await codeLogin())).toEqual([6, "ONLY_MAINLAND"]);
    expect(result(await register())).toEqual([6, "ONLY_MAINLAND"]);
    await door.close();
    await openWithCode({ phoneRegions: ["HK"] });
    expect(result(await codeLogin())[0]).toBe(6);
    await door.close();
    await openWithCode({ edition: "international", phoneRegions: "*" });
    expect(result(await codeLogin())[0]).toBe(0);
  });

  test("where sign-up is closed a code signs in to an account that is there, and makes none", async () => {
    await openWithCode({ signUp: "invitation" });
    expect(result(await register())).toEqual([5, "REGISTRATION_CLOSED"]);
    expect(result(await codeLogin())).toEqual([8, "CODE_WRONG"]);
    expect(door.texts).toEqual([]);
    const account = { id: "1", mobile: MOBILE, last_seq_id: 0, training_allowed: 0, under_review: 0 };
    await door.opened.db.kysely
      .insertInto("users")
      .values({ ...account, created_at: 1 })
      .execute();
    door.time.nowMs += 60_000;
    await door.askText({ mobile_number: MOBILE });
    await expect.poll(() => door.texts.length).toBe(1);
    await door.opened.db.kysely.deleteFrom("users").execute();
    expect(result(await codeLogin())).toEqual([5, "REGISTRATION_CLOSED"]);
  });

  test("signing up and in by phone asks for a guest's proof", async () => {
    await openWithCode();
    expect((await door.post(LOGIN, { mobile_number: MOBILE, sms_verification_code: "1" })).body.code).toBe(
      40300,
    );
    const payload = { mobile_number: MOBILE, password: PASSWORD };
    expect((await door.post(REGISTER, { payload })).body.code).toBe(40300);
  });
});
