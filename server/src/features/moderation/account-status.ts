// What the columns of an account forbid: muted, banned, under review, without a phone or a birthday (wire-contract.md §1.8).
import { Global } from "@plumb/protocol/wire/global-codes";
import { GlobalRefusal } from "../../platform/refusal.ts";
import { needsBirthday } from "./age-rule.ts";

/** The columns of `users` that decide; times in ms. */
interface AccountStatusRow {
  muted_until: number | null;
  banned_at: number | null;
  under_review: number;
  mobile: string | null;
  birth_year: number | null;
  birth_month: number | null;
}

/** What the operator asks of accounts that speak. */
export interface SpeakingRules {
  /** A phone must be bound. */
  requireMobile: boolean;
  /** In years; null = no age gate. */
  minAge: number | null;
}

/** End of a running mute in Unix seconds, else null. */
export function muteEnd(row: Pick<AccountStatusRow, "muted_until">, nowMs: number): number | null {
  return row.muted_until !== null && row.muted_until > nowMs ? Math.ceil(row.muted_until / 1000) : null;
}

export function isBanned(row: Pick<AccountStatusRow, "banned_at">): boolean {
  return row.banned_at !== null;
}

/** Why the account may not make a "speaking" call: 40013, then 40014, then 40015; null when it may. */
export function refuseSpeaking(
  row: AccountStatusRow,
  { requireMobile, minAge }: SpeakingRules,
  nowMs: number,
): GlobalRefusal | null {
  if (requireMobile && row.mobile === null) return new GlobalRefusal(Global.MobileNotVerified);
  if (row.under_review !== 0) return new GlobalRefusal(Global.AccountUnderReview);
  if (needsBirthday(row, minAge, nowMs)) return new GlobalRefusal(Global.BirthdayRequired);
  return null;
}
