// Fields that the calls before and at sign-in share (wire-contract.md §7).
import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { maybe, text, withDefault } from "./fields.ts";

/** Where a request comes from; all of it may be absent. `region` is information only. */
export const originFields = {
  locale: maybe(z.enum(["zh_CN", "en_US"])),
  region: maybe(text(LIMITS.regionChars)),
  device_id: maybe(text(LIMITS.deviceIdChars)),
  os: withDefault(z.enum(["web", "ios", "android"]), "web"),
};

/** Only the field of the configured mode counts, so a malformed one of another mode reads as absent. */
export const captchaFields = {
  turnstile_token: z.catch(maybe(z.string()), null),
  hcaptcha_token: z.catch(maybe(z.string()), null),
  shumei_verification: z.catch(maybe(z.object({ region: z.string(), rid: z.string() })), null),
};
