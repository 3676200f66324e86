import { afterEach, describe, expect, test } from "vitest";
import { bizData, type FrontDoor, openFrontDoor } from "../../../test/front-door.ts";
import { engines } from "../../../test/test-databases.ts";

const PASSWORD = "correct horse";
const other = (code: string) => (code === "000000" ? "000001" : "000000");

describe.each(engines)("signing up and in on %s", (engine) => {
  let door: FrontDoor;
  afterEach(() => door.close());
  const result = ({ body }: { body: { data: { biz_code: number; biz_msg: string } | null } }) => [
    body.data?.biz_code,
    body.data?.biz_msg,
  ];
  const login = (body: Record<string, unknown>, ip?: string) =>
    door.post("/api/v0/users/login", { os: "web", ...body }, ip === undefined ? {} : { ip });
  const lastCode = () => door.mails.at(-1)?.code ?? "";

  test("[AUTH-084] [AUTH-085] sends a code and answers send_window_secs, alike for every scenario", async () => {
    door = await openFrontDoor(engine);
    for (const scenario of ["register", "reset_password", "bind_email"]) {
      const sent = await door.askCode({
        email: `${scenario}@X.org`,
        scenario,
        locale: "zh_CN",
        device_id: "d",
      });
      expect(sent.status).toBe(200);
      expect(sent.body.data).toEqual({
        biz_code: 0,
        biz_msg: "",
        code: 0,
        biz_data: { code: 0, msg: "", send_window_secs: 60 },
      });
      expect(door.mails.at(-1)).toMatchObject({ to: `${scenario}@x.org`, scenario, locale: "zh_CN" });
      expect(lastCode()).toMatch(/^\d{6}$/);
    }
  });

  test("[AUTH-056] [AUTH-054] [AUTH-086] one code per minute and address, with the seconds left", async () => {
    door = await openFrontDoor(engine);
    await door.askCode({ email: "a@x.org", scenario: "register" });
    door.time.nowMs += 18_000;
    const again = await door.askCode({ email: "A@x.org", scenario: "reset_password" });
    expect(again.body.data).toMatchObject({
      biz_code: 1,
      biz_data: { code: 1, msg: "EMAIL_SEND_TOO_FREQUENT", send_window_secs: 42 },
    });
    expect(door.mails).toHaveLength(1);
    door.time.nowMs += 42_000;
    expect(result(await door.askCode({ email: "a@x.org" }))).toEqual([0, ""]);
    expect(door.mails.at(-1)?.scenario).toBe("register");
  });

  test("[AUTH-088] [AUTH-090] a malformed address is 3, a mail that could not be sent 99 and its code void", async () => {
    door = await openFrontDoor(engine);
    expect(result(await door.askCode({ email: "no address" }))).toEqual([3, "INVALID_EMAIL_FORMAT"]);
    expect(result(await door.askCode({}))).toEqual([3, "INVALID_EMAIL_FORMAT"]);
    door.mailer.fails = true;
    expect(result(await door.askCode({ email: "a@x.org" }))).toEqual([99, "EMAIL_CLOUD_ERROR"]);
    expect(await door.opened.db.kysely.selectFrom("verification_codes").selectAll().execute()).toEqual([]);
  });

  test("30 codes an hour and address of the network, then 40029 with Retry-After", async () => {
    door = await openFrontDoor(engine, { rateLimits: { code_ip_hour: 2 } });
    for (const email of ["a@x.org", "b@x.org"]) expect(result(await door.askCode({ email }))[0]).toBe(0);
    const refused = await door.askCode({ email: "c@x.org" });
    expect([refused.status, refused.body.code, refused.headers["retry-after"]]).toEqual([429, 40029, "3600"]);
    expect(result(await door.askCode({ email: "c@x.org" }, { ip: "192.0.2.2" }))[0]).toBe(0);
  });

  test("[AUTH-077] [POW-013] [POW-014] without a guest's proof 40300, with a used one 40301", async () => {
    door = await openFrontDoor(engine);
    const path = "/api/v0/users/create_email_verification_code";
    expect((await door.post(path, { email: "a@x.org" })).body.code).toBe(40300);
    const headers = await door.guestProof(path);
    expect(result(await door.post(path, { email: "nothing" }, { headers }))[0]).toBe(3);
    expect((await door.post(path, { email: "a@x.org" }, { headers })).body.code).toBe(40301);
    expect(
      (await door.post("/api/v0/users/register", { payload: { email: "", password: "" } })).body.code,
    ).toBe(40300);
  });

  test("[AUTH-106] [AUTH-027] register answers code, msg and the user with a token that works", async () => {
    door = await openFrontDoor(engine);
    await door.askCode({ email: "Abcd@X.org", scenario: "register", device_id: "d" });
    const answered = await door.register(
      { email: "aBCD@x.org", email_verification_code: lastCode(), password: PASSWORD },
      { device_id: "d", locale: "en_US", region: "DE" },
    );
    expect(answered.body.data?.biz_data).toMatchObject({
      code: 0,
      msg: "",
      user: { email: "ab*****d@x.org" },
    });
    const { token } = bizData<{ user: { token: string } }>(answered).user;
    expect((await door.get("/api/v0/users/current", { token })).body.data?.biz_code).toBe(0);
    expect(answered.headers["cache-control"]).toBe("no-store");
  });

  test("[AUTH-107] an address with an account is 1, only with a right code, which is then used up", async () => {
    door = await openFrontDoor(engine);
    await door.signUp("a@x.org");
    door.time.nowMs += 60_000;
    await door.askCode({ email: "a@x.org" });
    const payload = { email: "a@x.org", password: PASSWORD };
    const right = lastCode();
    expect(result(await door.register({ ...payload, email_verification_code: other(right) }))[0]).toBe(8);
    expect(result(await door.register({ ...payload, email_verification_code: right }))).toEqual([
      1,
      "EMAIL_EXISTS",
    ]);
    expect(result(await door.register({ ...payload, email_verification_code: right }))[0]).toBe(7);
    expect(await door.opened.db.kysely.selectFrom("users").selectAll().execute()).toHaveLength(1);
  });

  test("[AUTH-108] [AUTH-109] [AUTH-111] [AUTH-112] [AUTH-044] [AUTH-045] register's other errors", async () => {
    door = await openFrontDoor(engine);
    await door.askCode({ email: "a@x.org" });
    const code = lastCode();
    const tryWith = async (change: Record<string, unknown>) =>
      result(
        await door.register({
          email: "a@x.org",
          email_verification_code: code,
          password: PASSWORD,
          ...change,
        }),
      );
    expect(await tryWith({ email_verification_code: "12345" })).toEqual([2, "EMAIL_CODE_INVALID"]);
    expect(await tryWith({ email_verification_code: null })).toEqual([2, "EMAIL_CODE_INVALID"]);
    expect(await tryWith({ email: "no address" })).toEqual([3, "INVALID_EMAIL_FORMAT"]);
    expect(await tryWith({ password: "1234567" })).toEqual([4, "INVALID_PASSWORD"]);
    expect(await tryWith({ password: "x".repeat(51) })).toEqual([4, "INVALID_PASSWORD"]);
    expect(await tryWith({ password: "contraseña" })).toEqual([4, "INVALID_PASSWORD"]);
    expect(await tryWith({ password: " ".repeat(12) })).toEqual([4, "INVALID_PASSWORD"]);
    expect(await tryWith({ password: "Password1" })).toEqual([13, "PASSWORD_TOO_COMMON"]);
    expect(await tryWith({ email_verification_code: other(code) })).toEqual([8, "PASSCODE_FAILED"]);
    expect(await tryWith({ email: "b@x.org" })).toEqual([7, "CODE_EXPIRED"]);
    door.time.nowMs += 600_000;
    expect(await tryWith({})).toEqual([7, "CODE_EXPIRED"]);
  });

  test("[AUTH-089] [AUTH-113] EMAIL_DOMAINS lets no other domain sign up, and any set a new password", async () => {
    door = await openFrontDoor(engine, {}, { settings: { EMAIL_DOMAINS: "x.org" } });
    const registered = (email: string) =>
      door.register({ email, email_verification_code: "123456", password: PASSWORD });
    for (const email of ["a@y.org", "a@sub.x.org", "x.org@y.org", "a@x.org.y.org"]) {
      expect(result(await door.askCode({ email }))).toEqual([4, "EMAIL_DOMAIN_NOT_WHITELISTED"]);
      expect(result(await registered(email))).toEqual([9, "EMAIL_DOMAIN_NOT_SUPPORTED"]);
    }
    expect(door.mails).toEqual([]);
    expect(result(await door.askCode({ email: "a@y.org", scenario: "reset_password" }))[0]).toBe(0);
    expect(result(await door.askCode({ email: "A@X.org" }))[0]).toBe(0);
    expect(result(await registered("b@x.org"))).toEqual([7, "CODE_EXPIRED"]);
  });

  test("[AUTH-110] the mainland edition refuses sign-up by email with 6", async () => {
    door = await openFrontDoor(engine, { edition: "mainland" });
    expect(result(await door.askCode({ email: "a@x.org" }))).toEqual([6, "FROM_MAINLAND"]);
    expect(door.mails).toEqual([]);
    const answered = await door.register({
      email: "a@x.org",
      email_verification_code: "123456",
      password: PASSWORD,
    });
    expect(result(answered)).toEqual([6, "FROM_MAINLAND"]);
  });

  test("[AUTH-110] MAINLAND_EMAIL_SIGN_UP=off refuses who comes from the mainland by their address, and nobody else", async () => {
    const email = "a@x.org";
    const payload = { email, email_verification_code: "123456", password: PASSWORD };
    door = await openFrontDoor(engine, {}, { settings: { MAINLAND_EMAIL_SIGN_UP: "off" } });
    const from = (region: string | null) => {
      door.deps.ports.ipRegions = { regionOf: () => region };
    };
    from("CN");
    expect(result(await door.askCode({ email }))).toEqual([6, "FROM_MAINLAND"]);
    expect(result(await door.register(payload))).toEqual([6, "FROM_MAINLAND"]);
    expect(result(await door.askCode({ email, scenario: "reset_password" }))[0]).toBe(0);
    for (const region of ["HK", null]) {
      from(region);
      expect(result(await door.register(payload))).toEqual([7, "CODE_EXPIRED"]);
    }
    await door.close();

    door = await openFrontDoor(engine);
    from("CN");
    expect(result(await door.askCode({ email }))[0]).toBe(0);
  });

  test("50 parallel registrations with one code make one account", async () => {
    door = await openFrontDoor(engine, { rateLimits: "off" });
    await door.askCode({ email: "a@x.org" });
    const payload = { email: "a@x.org", email_verification_code: lastCode(), password: PASSWORD };
    const answers = await Promise.all(Array.from({ length: 50 }, () => door.register(payload)));
    const codes = answers.map((answered) => result(answered)[0]);
    expect(codes.filter((code) => code === 0)).toHaveLength(1);
    expect(codes.filter((code) => code === 7)).toHaveLength(49);
    expect(await door.opened.db.kysely.selectFrom("login_tokens").selectAll().execute()).toHaveLength(1);
  });

  test("[AUTH-094] login by email or phone answers the user with a new token; with both the email counts", async () => {
    door = await openFrontDoor(engine);
    const first = await door.signUp("a@x.org");
    await door.opened.db.kysely
      .updateTable("users")
      .set({ mobile: "13812345678", area_code: "+86" })
      .execute();
    for (const body of [
      { email: " A@X.org " },
      { mobile: "13812345678", area_code: "+86" },
      { email: "a@x.org", mobile: "13900000000" },
    ]) {
      const answered = await login({ ...body, password: PASSWORD, device_id: "d" });
      expect(answered.body.data?.biz_data).toMatchObject({
        code: 0,
        msg: "",
        user: { email: "a*****@x.org", mobile: "138****5678" },
      });
      const { token } = bizData<{ user: { token: string } }>(answered).user;
      expect(token).not.toBe(first);
      expect((await door.get("/api/v0/users/current", { token })).body.code).toBe(0);
    }
  });

  test("right passwords do not count as failures", async () => {
    door = await openFrontDoor(engine);
    await door.signUp("a@x.org");
    for (let count = 0; count < 12; count++) {
      expect(result(await login({ email: "a@x.org", password: PASSWORD }))[0]).toBe(0);
    }
  });

  test("[AUTH-095] wrong password, unknown account, none and no password answer alike but for the trace id", async () => {
    door = await openFrontDoor(engine);
    await door.signUp("a@x.org");
    await door.signUp("b@x.org");
    await door.opened.db.kysely
      .updateTable("users")
      .set({ password_hash: null })
      .where("email", "=", "b@x.org")
      .execute();
    const answers = [
      await login({ email: "a@x.org", password: "wrong" }),
      await login({ email: "b@x.org", password: PASSWORD }),
      await login({ email: "nobody@x.org", password: PASSWORD }),
      await login({ email: "", mobile: null, password: PASSWORD }),
    ];
    const alike = answers.map(({ status, text }) => [status, text.replace(/"logId":"[0-9a-f]{32}"/, "")]);
    expect(new Set(alike.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(result(answers[0] ?? { body: { data: null } })).toEqual([2, "PASSWORD_OR_USER_NAME_IS_WRONG"]);
  });

  test("[AUTH-096] [ACCT-051] a banned account is 10, only with the right password", async () => {
    door = await openFrontDoor(engine);
    await door.signUp("a@x.org");
    await door.opened.db.kysely.updateTable("users").set({ banned_at: 1 }).execute();
    expect(result(await login({ email: "a@x.org", password: "wrong" }))[0]).toBe(2);
    expect(result(await login({ email: "a@x.org", password: PASSWORD }))).toEqual([10, "USER_IS_BANNED"]);
  });

  test("[ERR-026] the eleventh failure in 15 minutes is 42903, for known and unknown accounts, from that address alone", async () => {
    door = await openFrontDoor(engine);
    await door.signUp("a@x.org");
    for (const email of ["a@x.org", "nobody@x.org"]) {
      for (let tries = 0; tries < 10; tries++) {
        expect(result(await login({ email, password: "wrong" }))[0]).toBe(2);
      }
      const refused = await login({ email, password: PASSWORD });
      expect([refused.status, refused.body.code, refused.headers["retry-after"]]).toEqual([
        429,
        42903,
        "900",
      ]);
    }
    expect(result(await login({ email: "a@x.org", password: PASSWORD }, "192.0.2.2"))[0]).toBe(0);
    door.time.nowMs += 900_000;
    expect(result(await login({ email: "a@x.org", password: PASSWORD }))[0]).toBe(0);
  });

  test("of parallel guesses ten are compared, however the address is spelled", async () => {
    door = await openFrontDoor(engine, { rateLimits: { login_ip_minute: 1000 } });
    await door.signUp("a@x.org");
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_none, index) =>
        login({ email: index % 2 === 0 ? "a@x.org" : " A@X.org", password: `wrong ${index}` }, "192.0.2.9"),
      ),
    );
    const outcomes = answers.map(({ body }) => body.data?.biz_code ?? body.code);
    expect(outcomes.filter((outcome) => outcome === 2)).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === 42903)).toHaveLength(30);
  });
});
