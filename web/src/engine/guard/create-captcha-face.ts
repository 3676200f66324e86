// Joins the captcha with what its screens need of the engine.
import type { ClientSettings } from "@plumb/protocol/wire/site";
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";
import type { CaptchaFace } from "./captcha-face.ts";
import { createCaptcha } from "./captcha.ts";

interface CaptchaDeps {
  browser: Browser;
  api: ApiClient;
  settings(): ClientSettings | null;
}

export function createCaptchaFace({ browser, api, settings }: CaptchaDeps): CaptchaFace {
  const captcha = createCaptcha(settings);
  function log(what: string, error: unknown): void {
    const { type, code, message } = (error ?? {}) as { type?: unknown; code?: unknown; message?: unknown };
    browser.log(`the captcha failed: ${what}`, { type, code, message });
  }
  return {
    ...captcha,
    log,
    beginSlide: (create) =>
      create({
        api,
        now: browser.now,
        onSolved: (rid) =>
          captcha.passed({ shumei_verification: { region: settings()?.captcha.region ?? "CN", rid } }),
        onFailed(error) {
          log("slide", { ...error, type: error.kind });
          captcha.failed();
        },
      }),
  };
}
