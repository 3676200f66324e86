// Sends a verification code by mail (wire-contract.md §7.5).
import { LIMITS } from "@plumb/protocol/limits";
import { type CodeSent, EmailCodeRefusal } from "@plumb/protocol/wire/sign-in";
import type { Database } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Mailer } from "../../ports/mailer.ts";
import type { RateLimits } from "../guard/rate-limit.ts";
import { deleteCode } from "./verification-code-store.ts";
import { makeCode } from "./verification-codes.ts";

interface EmailCodeRequest {
  /** Valid and in lower case. */
  email: string;
  scenario: "register" | "reset_password" | "bind_email";
  deviceId: string | null;
  locale: "zh_CN" | "en_US";
}

/**
 * Sends a code, whether the address has an account or not. Throws Refusal 1 with the seconds left when the address has had
 * its code of this minute or its codes of this day, and 99 when the mail could not be sent; that code is then void.
 */
export async function sendEmailCode(
  deps: { db: Database; rates: RateLimits; mailer: Mailer; codeKey: Uint8Array; log: Logger },
  request: EmailCodeRequest,
  nowMs: number,
): Promise<CodeSent> {
  const { db, rates, mailer, codeKey, log } = deps;
  const key = { channel: "email", target: request.email, scenario: request.scenario } as const;
  const made = await db.transaction(async (trx) => {
    const waitMs = await rates.countCode(trx, request.email);
    if (waitMs !== null) return { waitMs };
    return makeCode(trx, codeKey, key, request.deviceId, nowMs);
  });
  if ("waitMs" in made) {
    const secondsLeft = Math.max(1, Math.ceil(made.waitMs / 1000));
    throw new Refusal(EmailCodeRefusal.EmailSendTooFrequent, { send_window_secs: secondsLeft });
  }
  try {
    await mailer.sendCode({
      to: request.email,
      code: made.code,
      scenario: request.scenario,
      locale: request.locale,
    });
  } catch (error) {
    log.error({ err: error }, "verification code not sent");
    await deleteCode(db.kysely, key, made.codeHash);
    throw new Refusal(EmailCodeRefusal.EmailCloudError);
  }
  return { send_window_secs: LIMITS.codeSendWindowSecs };
}
