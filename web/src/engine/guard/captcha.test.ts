import type { ClientSettings } from "@plumb/protocol/wire/site";
import { describe, expect, it } from "vitest";
import { captchaModeOf, createCaptcha } from "./captcha.ts";

const settings = (mode: string, flags: object = {}, ab_tests: object = {}) =>
  ({ captcha: { mode }, flags, ab_tests }) as unknown as ClientSettings;

describe("the captcha", () => {
  it.each([
    ["none", {}, {}, "none"],
    ["slide", {}, {}, "slide"],
    ["shumei", {}, {}, "shumei"],
    ["hcaptcha", {}, {}, "none"],
    ["hcaptcha", { enableHcaptcha: true }, {}, "hcaptcha"],
    ["turnstile", {}, { human_check: true }, "turnstile"],
    ["turnstile", { enableHcaptcha: false }, { human_check: "yes" }, "none"],
  ])("%s with %j and %j is %s [AUTH-057] [AUTH-059]", (mode, flags, tests, asked) => {
    expect(captchaModeOf(settings(mode, flags, tests))).toBe(asked);
  });

  it("is none before the settings came", () => {
    expect(captchaModeOf(null)).toBe("none");
  });

  it("that is none is passed at once", async () => {
    const captcha = createCaptcha(() => "none");
    expect(await captcha.pass()).toEqual({ ok: true, fields: {} });
    expect(captcha.store.getState().asked).toBeNull();
  });

  it("is asked for until it is passed, closed or could not be shown", async () => {
    const captcha = createCaptcha(() => "slide");
    const answers = { shumei_verification: { region: "CN", rid: "r" } };
    const passed = captcha.pass();
    expect(captcha.store.getState().asked).toBe("slide");
    captcha.passed(answers);
    expect(await passed).toEqual({ ok: true, fields: answers });
    expect(captcha.store.getState().asked).toBeNull();

    const closed = captcha.pass();
    captcha.dismiss();
    expect(await closed).toEqual({ ok: false, text: { key: "captchaDismissed" } });
    const failed = captcha.pass();
    captcha.failed();
    expect(await failed).toEqual({ ok: false, text: { key: "captchaLoadFailed" } });
    // Whatever comes late is for nobody.
    captcha.passed(answers);
    expect(captcha.store.getState().asked).toBeNull();
  });

  it("asked for twice answers the first one that nothing is to be sent", async () => {
    const captcha = createCaptcha(() => "slide");
    const first = captcha.pass();
    const second = captcha.pass();
    expect(await first).toMatchObject({ ok: false });
    captcha.passed({});
    expect(await second).toEqual({ ok: true, fields: {} });
  });
});
