// Deep-thinking replies per user and Beijing day (wire-contract.md §17.3): counted when accepted, given back when nothing came.
import { LIMITS } from "@plumb/protocol/limits";
import { TurnRefusal } from "@plumb/protocol/wire/turns";
import type { Quota } from "@plumb/protocol/wire/accounts";
import type { Queryable } from "../../platform/database/database.ts";
import { Refusal } from "../../platform/refusal.ts";
import { countThinking, thinkingUsed, uncountThinking } from "./thinking-usage-store.ts";

const BEIJING_OFFSET_MS = 8 * 3_600_000;
const DAY_MS = 24 * 3_600_000;

/** The Beijing day of a wall-clock time in ms, as YYYYMMDD. */
export function beijingDay(nowMs: number): string {
  return new Date(nowMs + BEIJING_OFFSET_MS).toISOString().slice(0, 10).replaceAll("-", "");
}

/** Next 24:00 Beijing time in Unix seconds. */
function nextBeijingMidnight(nowMs: number): number {
  return (Math.floor((nowMs + BEIJING_OFFSET_MS) / DAY_MS + 1) * DAY_MS - BEIJING_OFFSET_MS) / 1000;
}

function quotaOf(quotaPerDay: number, used: number, nowMs: number): Quota {
  return {
    quota: quotaPerDay === 0 ? LIMITS.quotaUnlimited : quotaPerDay,
    used,
    reset_at: nextBeijingMidnight(nowMs),
  };
}

/**
 * Counts one deep-thinking reply in the caller's transaction and returns its Beijing day, to be kept for a refund.
 * `quotaPerDay` 0 = no limit. Throws Refusal 15 with the Quota as data when the day is used up.
 */
export async function chargeThinking(
  trx: Queryable,
  quotaPerDay: number,
  userId: string,
  nowMs: number,
): Promise<string> {
  const day = beijingDay(nowMs);
  const limit = quotaPerDay === 0 ? Number.MAX_SAFE_INTEGER : quotaPerDay;
  if (!(await countThinking(trx, { userId, day, limit }))) {
    throw new Refusal(TurnRefusal.ThinkingQuotaExceeded, {
      ...(await readQuota(trx, quotaPerDay, userId, nowMs)),
    });
  }
  return day;
}

/** Gives one reply back to the day it was counted on; never below 0. */
export async function refundThinking(trx: Queryable, userId: string, day: string): Promise<void> {
  await uncountThinking(trx, userId, day);
}

/** The user's Quota of today (wire-contract.md §9). */
export async function readQuota(
  q: Queryable,
  quotaPerDay: number,
  userId: string,
  nowMs: number,
): Promise<Quota> {
  return quotaOf(quotaPerDay, await thinkingUsed(q, userId, beijingDay(nowMs)), nowMs);
}
