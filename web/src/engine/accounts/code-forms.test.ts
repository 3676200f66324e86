import { describe, expect, it } from "vitest";
import { sha256Ascii } from "../guard/sha256.ts";
import { ok, refused } from "../testing/fake-answers.ts";
import { emptyDisk } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk } from "../testing/open-page.ts";

const users = (name: string) => `/api/v0/users/${name}`;
const MOBILE = "13812345678";
const code = "123456";
const user = { id: "user-1", token: "token-1", chat: { is_muted: 0, mute_until: null } };
const signedIn = { code: 0, msg: "", user };
const done = { code: 0, msg: "" };
/** Every call says which device it comes from. */
const device = { device_id: expect.any(String) as string };

function serverWithGuests() {
  const server = createFakeServer();
  server.answer(users("create_guest_challenge"), () =>
    ok({
      guest_challenge: {
        algorithm: "SHA-256",
        challenge: sha256Ascii("salt_1800000000000_1"),
        salt: "salt",
        signature: "",
        difficulty: 3,
        expire_at: 1_800_000_000_000,
        expire_after: 300_000,
        target_path: "",
      },
    }),
  );
  return server;
}

describe("the forms with a code", () => {
  it("[AUTH-078] [AUTH-055] a code is asked for by the kind of its target, with a proof, and each kind has a countdown", async () => {
    const server = serverWithGuests();
    const sent = () => ok({ ...done, send_window_secs: 42 });
    server.answer(users("create_sms_verification_code"), sent);
    server.answer(users("create_email_verification_code"), sent);
    const page = await openPage(server, emptyDisk());
    const { sendCode, codeTimer } = page.engine.accounts;
    expect(await sendCode({ target: MOBILE, scenario: "login", timer: "sms" })).toEqual({ ok: true });
    expect(codeTimer.getState()).toMatchObject({ sms: 42, email: 0, either: 0 });
    const [call] = server.calls(users("create_sms_verification_code"));
    expect(call?.body).toEqual({ ...device, mobile_number: MOBILE, scenario: "login", locale: "en_US" });
    expect(call?.headers["x-ds-guest-pow-response"]).toBeDefined();

    await page.browser.advance(10_000);
    await sendCode({ target: " a@b.co ", scenario: "reset_password", timer: "either" });
    expect(server.calls(users("create_email_verification_code"))[0]?.body).toEqual({
      ...device,
      email: "a@b.co",
      scenario: "reset_password",
      locale: "en_US",
    });
    expect(codeTimer.getState()).toMatchObject({ sms: 32, email: 0, either: 42 });
    await page.browser.advance(32_000);
    expect(codeTimer.getState()).toMatchObject({ sms: 0, email: 0, either: 10 });
    page.close();
  });

  it.each([
    ["slide", { shumei_verification: { region: "CN", rid: "r" } }],
    ["hcaptcha", { hcaptcha_token: "t" }],
    ["turnstile", { turnstile_token: "t" }],
  ])(
    "%s: each code takes a captcha of its own along; without one none is asked for [AUTH-058] [AUTH-067]",
    async (mode, fields) => {
      const server = serverWithGuests();
      server.answer("/api/v0/client/settings", () =>
        ok({
          captcha: { mode, region: "CN", challenge: null },
          flags: { enableHcaptcha: true },
          ab_tests: {},
          limits: {},
          analytics: { device_fingerprint_url: null },
        }),
      );
      for (const call of ["create_sms_verification_code", "create_email_verification_code"])
        server.answer(users(call), () => ok({ ...done, send_window_secs: 1 }));
      const page = await openPage(server, emptyDisk());
      const { accounts, captcha } = page.engine;
      const targets = [
        [MOBILE, "sms", users("create_sms_verification_code")],
        ["a@b.co", "email", users("create_email_verification_code")],
      ] as const;
      for (const [target, timer, path] of targets) {
        const closed = accounts.sendCode({ target, scenario: "register", timer });
        await page.browser.settle();
        expect(captcha.store.getState().asked).toBe(mode);
        captcha.dismiss();
        expect(await closed).toEqual({ ok: false, field: null, text: { key: "captchaDismissed" } });
        expect(server.calls(path)).toHaveLength(0);
        // The second one is a resend.
        for (const times of [1, 2]) {
          const passed = accounts.sendCode({ target, scenario: "register", timer });
          await page.browser.settle();
          expect(captcha.store.getState().asked).toBe(mode);
          captcha.passed(fields);
          expect(await passed).toEqual({ ok: true });
          expect(server.calls(path)).toHaveLength(times);
          expect(server.calls(path)[times - 1]?.body).toMatchObject(fields);
        }
      }
      page.close();
    },
  );

  it("a reload loses neither whom a code was for nor the countdown; a sign-in does, and so does the end of the code", async () => {
    const server = serverWithGuests();
    server.answer(users("create_email_verification_code"), () => ok({ ...done, send_window_secs: 60 }));
    server.answer(users("register"), () => ok(signedIn));
    const disk = emptyDisk();
    const left = await openPage(server, disk);
    await left.engine.accounts.sendCode({ target: " a@b.co ", scenario: "register", timer: "email" });
    left.close();
    disk.now += 20_000;
    const page = await openPage(server, disk);
    const { askedFor, codeTimer, signUp } = page.engine.accounts;
    expect(codeTimer.getState()).toMatchObject({ sms: 0, email: 40, either: 0 });
    expect([askedFor("email"), askedFor("either")]).toEqual(["a@b.co", ""]);
    await page.browser.advance(60_000);
    expect([codeTimer.getState().email, askedFor("email")]).toEqual([0, "a@b.co"]);
    await page.browser.advance(700_000);
    expect(askedFor("email")).toBe("");

    await page.engine.accounts.sendCode({ target: "a@b.co", scenario: "register", timer: "email" });
    await signUp({ email: "a@b.co", password: "12345678", code, invitation: null });
    expect([codeTimer.getState().email, askedFor("email"), disk.tabValues.size]).toEqual([0, "", 0]);
    page.close();
  });

  it.each(["", "null", "[]", "7", '{"email":{"target":1}}', '{"email":null}'])(
    "what the tab keeps is passed over where it is none of ours: %s",
    async (stored) => {
      const disk = emptyDisk();
      disk.tabValues.set("plumb.codes", stored);
      const page = await openPage(createFakeServer(), disk);
      expect(page.engine.accounts.askedFor("email")).toBe("");
      expect(page.engine.accounts.codeTimer.getState()).toMatchObject({ sms: 0, email: 0, either: 0 });
      page.close();
    },
  );

  it.each([
    ["a code that was sent", () => ok(done)],
    ["one that was asked for too soon", () => refused(1, "SMS_SEND_TOO_FREQUENT")],
  ])("the countdown of %s is a minute where the server names no time [AUTH-054]", async (_what, answer) => {
    const server = serverWithGuests();
    server.answer(users("create_sms_verification_code"), answer);
    const page = await openPage(server, emptyDisk());
    await page.engine.accounts.sendCode({ target: MOBILE, scenario: "login", timer: "sms" });
    expect(page.engine.accounts.codeTimer.getState().sms).toBe(60);
    page.close();
  });

  it("[AUTH-079] a code that was asked for too soon starts the countdown with what is left", async () => {
    const server = serverWithGuests();
    server.answer(users("create_sms_verification_code"), () =>
      refused(1, "SMS_SEND_TOO_FREQUENT", { send_window_secs: 17 }),
    );
    const page = await openPage(server, emptyDisk());
    await page.engine.accounts.sendCode({ target: MOBILE, scenario: "register", timer: "sms" });
    expect(page.engine.accounts.codeTimer.getState().sms).toBe(17);
    page.close();
  });

  it("who has had the codes of a day is told when the next may come, and may name somebody else at once", async () => {
    const server = serverWithGuests();
    server.answer(users("create_sms_verification_code"), () =>
      refused(1, "SMS_SEND_TOO_FREQUENT", { send_window_secs: 7200 }),
    );
    const page = await openPage(server, emptyDisk());
    const before = page.browser.now() / 1000;
    const said = await page.engine.accounts.sendCode({ target: MOBILE, scenario: "login", timer: "sms" });
    expect(said).toEqual({
      ok: false,
      field: null,
      text: { key: "codeDayLimit", params: { time: { moment: before + 7200 } } },
    });
    expect(page.engine.accounts.codeTimer.getState().sms).toBe(0);
    page.close();
  });

  it("a reload keeps the countdown of a code that binds a phone, and leaving does not", async () => {
    const server = serverWithGuests();
    server.answer(users("create_sms_verification_code"), () => ok({ ...done, send_window_secs: 42 }));
    let page = await openPage(server, signedInDisk());
    await page.engine.accounts.sendCode({ target: MOBILE, scenario: "bind_mobile", timer: "sms" });
    await page.browser.advance(2000);
    page.close();
    page = await openPage(server, page.disk);
    await page.browser.settle();
    const { askedFor, codeTimer } = page.engine.accounts;
    expect([codeTimer.getState().sms, askedFor("sms")]).toEqual([40, MOBILE]);
    await page.engine.accounts.signOut();
    expect([codeTimer.getState().sms, askedFor("sms"), page.disk.tabValues.size]).toEqual([0, "", 0]);
    page.close();
  });

  it("[AUTH-098] [AUTH-100] [AUTH-013] a code signs in, 1 is a success too, and the way is kept for the next time", async () => {
    const server = serverWithGuests();
    server.answer(users("login_by_mobile_sms"), () =>
      refused(1, "LOGIN_TO_EXISTING_ACCOUNT", { ...signedIn, code: 1 }),
    );
    const page = await openPage(server, emptyDisk());
    expect(page.engine.site.preferences.getState().loginMethod).toBe("code");
    page.engine.site.setPreferences({ loginMethod: "password" });
    expect(await page.engine.accounts.signInByCode({ mobile: MOBILE, code })).toEqual({ ok: true });
    expect(server.calls(users("login_by_mobile_sms"))[0]?.body).toEqual({
      ...device,
      area_code: "+86",
      mobile_number: MOBILE,
      sms_verification_code: code,
      locale: "en_US",
      os: "web",
    });
    expect(page.engine.accounts.auth.getState().status).toBe("yes");
    expect(page.engine.site.preferences.getState().loginMethod).toBe("code");
    await page.engine.accounts.signOut();
    await page.engine.accounts.signIn({ identifier: "a@b.co", password: "12345678" });
    expect(JSON.parse(page.disk.values.get("plumb.preferences") ?? "")).toMatchObject({
      loginMethod: "password",
    });
    page.close();
  });

  it("[AUTH-101] a banned account is led to its page", async () => {
    const server = serverWithGuests();
    server.answer(users("login_by_mobile_sms"), () => refused(3, "USER_IS_BANNED"));
    const page = await openPage(server, emptyDisk());
    await page.engine.accounts.signInByCode({ mobile: MOBILE, code });
    expect(page.engine.site.navigation.getState().to).toBe("/banned");
    page.close();
  });

  it("[AUTH-115] [AUTH-116] signs up by phone with an audit of no reasons", async () => {
    const server = serverWithGuests();
    server.answer(users("register_by_mobile"), () => ok(signedIn));
    const page = await openPage(server, emptyDisk());
    const input = { mobile: MOBILE, password: "12345678", code };
    expect(await page.engine.accounts.signUpByPhone(input)).toEqual({ ok: true });
    expect(server.calls(users("register_by_mobile"))[0]?.body).toMatchObject({
      payload: {
        area_code: "+86",
        mobile_number: MOBILE,
        sms_verification_code: code,
        audit_json_str: '{"reasons":[]}',
        password: "12345678",
      },
    });
    expect(page.engine.accounts.auth.getState().status).toBe("yes");
    page.close();
  });

  it("an invitation goes along with the call that asks for a code", async () => {
    const server = serverWithGuests();
    server.answer(users("create_email_verification_code"), () => ok({ send_window_secs: 60 }));
    const page = await openPage(server, emptyDisk());
    const asked = { target: "a@b.co", scenario: "register", timer: "email", invitation: "inv" } as const;
    expect(await page.engine.accounts.sendCode(asked)).toEqual({ ok: true });
    expect(server.calls(users("create_email_verification_code"))[0]?.body).toMatchObject({
      email: "a@b.co",
      invitation: "inv",
    });
    page.close();
  });

  it("an invitation goes along in place of a code", async () => {
    const server = serverWithGuests();
    server.answer(users("register"), () => ok(signedIn));
    const page = await openPage(server, emptyDisk());
    const input = { email: "a@b.co", password: "12345678", code: "", invitation: "inv" };
    expect(await page.engine.accounts.signUp(input)).toEqual({ ok: true });
    expect(server.calls(users("register"))[0]?.body).toMatchObject({ payload: { invitation: "inv" } });
    page.close();
  });

  it.each([
    [
      "a@b.co",
      "check_email_code",
      "email_reset_password",
      { email: "a@b.co", email_verification_code: code },
    ],
    [
      MOBILE,
      "check_sms_code",
      "mobile_reset_password",
      { area_code: "+86", mobile_number: MOBILE, sms_verification_code: code },
    ],
  ])(
    "[AUTH-092] [AUTH-093] [AUTH-127] [AUTH-128] the code of %s is checked and sets a password, without a proof",
    async (target, check, reset, who) => {
      const server = createFakeServer();
      const boundSince = [{ kind: "google", label: "th***@x.com", bound_at: 1_790_000_000 }];
      server.answer(users(check), () => ok({ ...done, bound_since: boundSince }));
      server.answer(users(reset), () => ok(done));
      const page = await openPage(server, emptyDisk());
      expect(await page.engine.accounts.checkCode({ target, code })).toEqual({ ok: true, boundSince });
      expect(server.calls(users(check))[0]?.body).toEqual({ ...device, ...who });
      const set = { target, code, password: "12345678" };
      expect(await page.engine.accounts.resetPassword({ ...set, unbind: [] })).toEqual({ ok: true });
      expect(server.calls(users(reset))[0]?.body).toEqual({ ...device, ...who, password: "12345678" });
      await page.engine.accounts.resetPassword({ ...set, unbind: ["google"] });
      expect(server.calls(users(reset))[1]?.body).toMatchObject({ unbind: ["google"] });
      page.close();
    },
  );
});
