// Joins the captcha with what its screens need of the engine.
import type { ClientSettings } from "@plumb/protocol/wire/site";
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";
import type { CaptchaFace } from "./captcha-face.ts";
import type { CaptchaMode } from "@plumb/protocol/rules/captcha-services";
import { createCaptcha } from "./captcha.ts";

interface CaptchaDeps {
  browser: Browser;
  api: ApiClient;
  settings(): ClientSettings | null;
}

/** `modeOf` says by the settings what is asked for. */
export function createCaptchaFace(
  { browser, api, settings }: CaptchaDeps,
  modeOf: (settings: ClientSettings | null) => CaptchaMode,
): CaptchaFace {
  const captcha = createCaptcha(() => modeOf(settings()));
  function failed(what: string, error: unknown, triesAgain = false): void {
    const { type, code, message } = (error ?? {}) as { type?: unknown; code?: unknown; message?: unknown };
    browser.log(`the captcha failed: ${what}`, { type, code, message });
    captcha.failed(triesAgain);
  }
  return {
    ...captcha,
    failed,
    beginSlide: (create) =>
      create({
        api,
        now: browser.now,
        onSolved: (rid) =>
          captcha.passed({ shumei_verification: { region: settings()?.captcha.region ?? "CN", rid } }),
        onFailed: (error) => failed("slide", { ...error, type: error.kind }),
      }),
  };
}
