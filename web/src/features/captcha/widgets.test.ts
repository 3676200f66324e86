import type { CaptchaSettings } from "@plumb/protocol/wire/site";
import { afterEach, expect, test, vi } from "vitest";
import { triesAgain, WIDGETS } from "./widgets.ts";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["300030", true],
  ["600010", true],
  ["102000", true],
  ["110600", true],
  ["110620", true],
  ["110100", false],
  ["110200", false],
  ["400020", false],
  ["200100", false],
  [undefined, false],
])("Turnstile tries again by itself after %s: %s [AUTH-072]", (code, again) => {
  expect(triesAgain(code)).toBe(again);
});

test.each([
  ["CN", undefined],
  ["US", ["captcha-fjny.fengkongcloud.cn"]],
  ["SG", ["captcha-xjp.fengkongcloud.cn"]],
  ["GLOBAL", ["captcha-xjp.fengkongcloud.cn"]],
] as const)(
  "Shumei's puzzle of %s asks the domains %j, and names its region [AUTH-060] [AUTH-067]",
  (region, domains) => {
    let pass: (result: { pass: boolean; rid: string }) => void = () => {};
    const initSMCaptcha = vi.fn<(options: object, run: (instance: object) => void) => void>((_options, run) =>
      run({ onSuccess: (told: typeof pass) => (pass = told), onError: () => {}, reset: () => {} }),
    );
    vi.stubGlobal("window", { initSMCaptcha });
    const onPassed = vi.fn<(fields: object) => void>();
    const captcha = { organization: "org", app_id: null, region } as unknown as CaptchaSettings;
    WIDGETS.shumei.show({ id: "place" } as HTMLElement, {
      captcha,
      locale: "zh_CN",
      onPassed,
      onError: () => {},
    });
    const [options] = initSMCaptcha.mock.calls[0] ?? [];
    expect({ domains: undefined, ...options }).toMatchObject({
      organization: "org",
      appendTo: "place",
      domains,
    });
    pass({ pass: false, rid: "r" });
    expect(onPassed).not.toHaveBeenCalled();
    pass({ pass: true, rid: "r" });
    expect(onPassed).toHaveBeenCalledWith({ shumei_verification: { region, rid: "r" } });
  },
);
