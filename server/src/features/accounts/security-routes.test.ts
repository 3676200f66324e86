import {
  accountSecurity,
  confirmIdentity,
  sendConfirmCode,
  unbind,
} from "@plumb/protocol/wire/account-security";
import { bindMobile } from "@plumb/protocol/wire/own-account";
import { mobileResetPassword } from "@plumb/protocol/wire/reset-password";
import { createSmsVerificationCode } from "@plumb/protocol/wire/verification-codes";
import { login } from "@plumb/protocol/wire/sign-in";
import { describe, expect, test } from "vitest";
import { createWechatLogin } from "../../adapters/identity-provider/wechat.ts";
import { testApps } from "../../../test/test-apps.ts";
import { SkippingClock } from "../../../test/test-clock.ts";
import { insertIdentity } from "./identity-store.ts";
import type { TestClient } from "../../../test/test-client.ts";

/** Nobody asks it for anything. */
const wechat = createWechatLogin({
  appId: "a",
  appSecret: "b",
  baseUrl: "http://127.0.0.1:9",
  loginUrl: "http://127.0.0.1:9",
});
const MOBILE = "13812345678";
const MINUTE = 60_000;

describe("the ways into one's account", () => {
  const open = testApps({ settings: { PHONE_REGIONS: "*" } });

  async function bindPhone(app: Awaited<ReturnType<typeof open>>, owner: TestClient): Promise<void> {
    await owner.ok(createSmsVerificationCode, { mobile_number: MOBILE });
    const sms_verification_code = app.texts.at(-1)?.code ?? "";
    await owner.ok(bindMobile, { mobile_number: MOBILE, sms_verification_code });
  }

  test("are listed with what can be removed; a confirmation lasts ten minutes, and a code gives another one", async () => {
    const clock = new SkippingClock();
    const app = await open({ clock });
    const owner = await app.signedIn();
    const made = clock.now() / 1000;
    const fresh = await owner.ok(accountSecurity, {});
    expect(fresh.ways).toEqual(["password", "email"]);
    expect(fresh.bindings).toMatchObject([{ kind: "email", removable: false }]);
    expect(Math.abs(fresh.confirmed_until - made - 600)).toBeLessThan(60);

    await bindPhone(app, owner);
    expect((await owner.ok(accountSecurity, {})).bindings[1]).toMatchObject({
      kind: "phone",
      label: "138****5678",
      removable: true,
    });
    // A phone that was just bound may be a stranger's: after 72 hours it is one of the owner's ways.
    expect((await owner.ok(accountSecurity, {})).ways).toEqual(["password", "email"]);
    expect((await owner.call(sendConfirmCode, { channel: "sms" })).envelope.data?.biz_code).toBe(9);
    clock.skip(72 * 60 * MINUTE);
    expect((await owner.ok(accountSecurity, {})).ways).toEqual(["password", "email", "sms"]);
    expect((await owner.ok(accountSecurity, {})).confirmed_until).toBe(0);
    expect((await owner.call(unbind, { kind: "phone" })).envelope.data?.biz_msg).toBe(
      "IDENTITY_NOT_CONFIRMED",
    );

    expect(await owner.ok(sendConfirmCode, { channel: "sms", locale: "zh_CN" })).toMatchObject({
      send_window_secs: 60,
    });
    expect(app.texts.at(-1)).toMatchObject({ to: `+86${MOBILE}`, scenario: "confirm", locale: "zh_CN" });
    const sms_verification_code = app.texts.at(-1)?.code ?? "";
    const wrong = sms_verification_code === "000000" ? "000001" : "000000";
    const refused = await owner.call(confirmIdentity, { sms_verification_code: wrong });
    expect(refused.envelope.data?.biz_code).toBe(8);
    const { confirmed_until } = await owner.ok(confirmIdentity, { sms_verification_code });
    expect(Math.abs(confirmed_until - clock.now() / 1000 - 600)).toBeLessThan(60);
    const spent = await owner.call(confirmIdentity, { sms_verification_code });
    expect(spent.envelope.data?.biz_code).toBe(7);
    const { user } = await owner.ok(unbind, { kind: "phone" });
    expect(user).toMatchObject({ mobile_number: "", token: owner.token });
    expect((await owner.call(sendConfirmCode, { channel: "sms" })).envelope.data?.biz_code).toBe(9);
  });

  test("the address of an account cannot be unbound, nor what is no way in", async () => {
    const app = await open();
    const owner = await app.signedIn();
    for (const kind of ["email", "password", "", null])
      expect((await owner.call(unbind, { kind } as never)).status, String(kind)).toBe(422);
    expect((await owner.call(unbind, { kind: "google" })).envelope.data?.biz_code).toBe(1);
  });

  test("a notice is sent when the mail server is back, in the language of the request, with a link of the operator's own address", async () => {
    let away = 2;
    const clock = new SkippingClock();
    const app = await open({
      clock,
      settings: { PUBLIC_URL: "https://chat.example.org", PHONE_REGIONS: "*" },
      onNotice() {
        away -= 1;
        if (away >= 0) throw new Error("mail server away");
      },
    });
    const owner = await app.signedIn();
    await owner.ok(createSmsVerificationCode, { mobile_number: MOBILE });
    const body = { mobile_number: MOBILE, sms_verification_code: app.texts.at(-1)?.code ?? "" };
    await owner.ok(bindMobile, body, { "x-client-locale": "zh_CN", "x-forwarded-host": "evil.example" });
    await expect.poll(() => app.notices.length, { timeout: 20_000, interval: 100 }).toBe(1);
    expect(app.notices[0]).toMatchObject({ to: app.mails[0]?.to, locale: "zh_CN" });
    expect(app.notices[0]?.notice.link).toMatch(/^https:\/\/chat\.example\.org\/undo_binding#[\w-]+$/u);
    await expect
      .poll(async () => (await app.db.kysely.selectFrom("jobs").selectAll().execute()).length)
      .toBe(0);
  });

  test("an account without an address is told by text message, but not of a phone by that phone", async () => {
    const app = await open({ wechat });
    const owner = await app.signedIn();
    const id = owner.user?.id ?? "";
    const setUser = (values: object) =>
      app.db.kysely.updateTable("users").set(values).where("id", "=", id).execute();
    await setUser({ email: null });
    await bindPhone(app, owner);
    await expect
      .poll(async () => (await app.db.kysely.selectFrom("jobs").selectAll().execute()).length)
      .toBe(0);
    expect(app.notices).toEqual([]);

    await owner.ok(createSmsVerificationCode, { mobile_number: MOBILE });
    const sms_verification_code = app.texts.at(-1)?.code ?? "";
    const reset = { mobile_number: MOBILE, sms_verification_code, password: "a new one 2" };
    await app.client().ok(mobileResetPassword, reset);
    await expect
      .poll(() => app.notices)
      .toMatchObject([{ to: `+86${MOBILE}`, notice: { about: "password_changed", link: null } }]);

    // The phone that was there before is told of the next one, however often it changes in 72 hours.
    await insertIdentity(app.db.kysely, {
      issuer: "WECHAT",
      subject: id,
      provider: "WECHAT",
      user_id: id,
      name: "Ann",
      picture: null,
      locale: null,
      email: null,
      usage: null,
      created_at: 1,
      used_at: 1,
    });
    const signedIn = app.client();
    const credentials = { mobile: MOBILE, password: "a new one 2" };
    signedIn.token = (await signedIn.ok(login, credentials)).user.token;
    for (const [index, mobile] of ["13900000001", "13900000002"].entries()) {
      await signedIn.ok(unbind, { kind: "phone" });
      await signedIn.ok(createSmsVerificationCode, { mobile_number: mobile });
      const code = app.texts.at(-1)?.code ?? "";
      await signedIn.ok(bindMobile, { mobile_number: mobile, sms_verification_code: code });
      await expect.poll(() => app.notices.length).toBe(2 * index + 3);
      expect(app.notices.slice(-2).map(({ to, notice }) => [to, notice.about])).toEqual(
        expect.arrayContaining([
          [`+86${MOBILE}`, "phone_unbound"],
          [`+86${MOBILE}`, "phone_bound"],
        ]),
      );
    }
  });
});
