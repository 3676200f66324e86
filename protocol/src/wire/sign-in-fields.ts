// Fields that the calls before and at sign-in share (wire-contract.md §7).
import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { maybe, text, withDefault } from "./fields.ts";
import { parseJson } from "./json.ts";

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

/** The same in a query, where an object comes as JSON text. */
export const captchaQuery = {
  ...captchaFields,
  shumei_verification: z.catch(
    maybe(
      z.pipe(
        z.pipe(
          z.string(),
          z.transform((value) => {
            const parsed = parseJson(value);
            return parsed.ok ? parsed.value : null;
          }),
        ),
        z.object({ region: z.string(), rid: z.string() }),
      ),
    ),
    null,
  ),
};
