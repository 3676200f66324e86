// What stands before a code is sent: the captcha that the installation asks for (wire-contract.md §7).
import type { ClientSettings } from "@plumb/protocol/wire/site";
import type { Text } from "../text.ts";

/** What a captcha gave, as the calls take it. */
export interface CaptchaAnswer {
  turnstile_token?: string;
  hcaptcha_token?: string;
  shumei_verification?: { region: string; rid: string };
}

export type CaptchaResult = { ok: true; fields: CaptchaAnswer } | { ok: false; text: Text };

/** Lets whoever needs no captcha pass; where one is asked for that this page has no part for, it says so. */
export async function passCaptcha(settings: ClientSettings | null): Promise<CaptchaResult> {
  const mode = settings?.captcha.mode ?? "none";
  return mode === "none" ? { ok: true, fields: {} } : { ok: false, text: { key: "captchaLoadFailed" } };
}
