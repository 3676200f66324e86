// Makes a verification code and sends it, by mail or by text message (wire-contract.md §7.4, §7.5).
import { LIMITS } from "@plumb/protocol/limits";
import type { RefusalCode } from "@plumb/protocol/wire/call";
import type { CodeSent } from "@plumb/protocol/wire/verification-codes";
import type { Database } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { RateLimits } from "../guard/rate-limit.ts";
import { type CodeKey, deleteCode } from "./verification-code-store.ts";
import { makeCode } from "./verification-codes.ts";

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
 * had its code of this minute or its codes of this day, and `notSent` when it could not be sent; that code is then void.
 */
export async function sendCode(
  deps: { db: Database; rates: RateLimits; codeKey: Uint8Array; log: Logger },
  { key, deviceId, send, tooFrequent, notSent }: CodeOrder,
  nowMs: number,
): Promise<CodeSent> {
  const { db, rates, codeKey, log } = deps;
  const made = await db.transaction(async (trx) => {
    const waitMs = await rates.countCode(trx, key.target);
    if (waitMs !== null) return { waitMs };
    return makeCode(trx, codeKey, key, deviceId, nowMs);
  });
  if ("waitMs" in made) {
    const secondsLeft = Math.max(1, Math.ceil(made.waitMs / 1000));
    throw new Refusal(tooFrequent, { send_window_secs: secondsLeft });
  }
  try {
    await send(made.code);
  } catch (error) {
    log.error({ err: error }, "verification code not sent");
    await deleteCode(db.kysely, key, made.codeHash);
    throw new Refusal(notSent);
  }
  return { send_window_secs: LIMITS.codeSendWindowSecs };
}
