// Makes a verification code and sends it, by mail or by text message (wire-contract.md §7.4, §7.5).
import { LIMITS } from "@plumb/protocol/limits";
import type { RefusalCode } from "@plumb/protocol/wire/call";
import type { CodeSent } from "@plumb/protocol/wire/verification-codes";
import type { Database } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { RateLimits } from "../guard/rate-limit.ts";
import type { CodeKey } from "./verification-code-store.ts";
import { makeCode, storeCode } from "./verification-codes.ts";

interface CodeOrder {
  key: CodeKey;
  deviceId: string | null;
  /** Hands the code over; throws when it could not. */
  send(code: string): Promise<void>;
  tooFrequent: RefusalCode;
  notSent: RefusalCode;
}

/**
 * Sends a code, whether the target has an account or not. Throws `tooFrequent` with the seconds left when the target has
 * had its code of this minute or its codes of this day, and `notSent` when it could not be sent.
 *
 * It is counted before it is sent, so that of two who ask at once one sends, and it is good only once it was sent. Until then
 * the code before stays good with the tries it has had, and a code that came to nothing could not be guessed: so its count is
 * given back, and still nobody has more guesses a day than the codes that were sent allow. Sending may take half a minute: no
 * transaction waits for it. Where two sends overlap the code that was sent last is the good one. A crash between sending and
 * storing costs the target this code and its count, no more.
 */
export async function sendCode(
  deps: { db: Database; rates: RateLimits; codeKey: Uint8Array; log: Logger },
  { key, deviceId, send, tooFrequent, notSent }: CodeOrder,
  nowMs: number,
): Promise<CodeSent> {
  const { db, rates, codeKey, log } = deps;
  const waitMs = await db.transaction((trx) => rates.countCode(trx, key.target, nowMs));
  if (waitMs !== null) {
    const secondsLeft = Math.max(1, Math.ceil(waitMs / 1000));
    throw new Refusal(tooFrequent, { send_window_secs: secondsLeft });
  }
  const code = makeCode();
  try {
    await send(code);
  } catch (error) {
    log.error({ err: error }, "verification code not sent");
    await db.transaction((trx) => rates.uncountCode(trx, key.target, nowMs));
    throw new Refusal(notSent);
  }
  await storeCode(db.kysely, codeKey, key, { code, deviceId }, nowMs);
  return { send_window_secs: LIMITS.codeSendWindowSecs };
}
