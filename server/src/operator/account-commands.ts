// What an operator does with accounts. Every command takes an account's id, its e-mail or its phone number.
import { isEmail, isPhone, normaliseEmail } from "@plumb/protocol/rules/sign-in-rules";
import { banAccount, unbanAccount } from "../features/accounts/ban-account.ts";
import type { SignInMeans } from "../features/accounts/bindings.ts";
import { countTokensOf, listTokensOf } from "../features/accounts/login-token-store.ts";
import { findUser, pageOfUsers, type UserKey, type UserRow } from "../features/accounts/user-store.ts";
import { muteTime } from "./mute-time.ts";
import { isBanned, muteEnd } from "../features/moderation/account-status.ts";
import {
  forgetBirthday as clearBirthday,
  setMutedUntil,
  setUnderReview,
} from "../features/moderation/account-status-store.ts";
import { storedBytesOf } from "../features/guard/stored-bytes-store.ts";
import type { Database } from "../platform/database/database.ts";
import { StartError } from "../platform/start-error.ts";

const USERS_PER_READ = 500;

export interface Operation {
  db: Database;
  /** Prints a line. */
  out(line: string): void;
  nowMs: number;
  /** DATA_DIR. */
  dataDir: string;
  /** Where people open the page; addresses have no slash at their end. */
  site: { address: string; onlyHere: boolean; elsewhere: readonly string[] };
  /** THINKING_QUOTA_PER_DAY; 0 = no limit. */
  thinkingQuotaPerDay: number;
  /** What the server's settings let people sign in with. */
  means: SignInMeans;
  /** STORAGE_QUOTA_MB; 0 = no limit. */
  storageQuotaMb: number;
}

/** One line an account: id, address, when it was made, status. */
export async function listUsers({ db, out, nowMs }: Operation): Promise<void> {
  let count = 0;
  for (let after = ""; ;) {
    const users = await pageOfUsers(db.kysely, after, USERS_PER_READ);
    for (const user of users) {
      out([user.id, addressOf(user), timeOf(user.created_at), statusOf(user, nowMs)].join("  "));
    }
    count += users.length;
    const last = users.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  out(count === 1 ? "1 account" : `${count} accounts`);
}

export async function showUser({ db, out, nowMs }: Operation, account: string): Promise<void> {
  const user = await requireUser(db, account);
  const count = await countTokensOf(db.kysely, user.id, nowMs);
  const stored = await storedBytesOf(db.kysely, user.id);
  const [last] = await listTokensOf(db.kysely, user.id, { nowMs, count: 1 });
  out(`id          ${user.id}`);
  out(`e-mail      ${user.email ?? "none"}`);
  out(`phone       ${user.mobile ?? "none"}`);
  out(`made        ${timeOf(user.created_at)}`);
  out(`status      ${statusOf(user, nowMs)}`);
  out(`stored      ${(stored / (1024 * 1024)).toFixed(1)} MB`);
  out(`signed in   ${count}${last === undefined ? "" : `, last used ${timeOf(last.last_used_at)}`}`);
}

export async function ban({ db, out, nowMs }: Operation, account: string): Promise<void> {
  const user = await requireUser(db, account);
  if (isBanned(user)) return out(`${addressOf(user)} is banned already.`);
  await banAccount(db, user.id, nowMs);
  out(`${addressOf(user)} is banned and signed out everywhere.`);
}

export async function unban({ db, out }: Operation, account: string): Promise<void> {
  const user = await requireUser(db, account);
  if (!isBanned(user)) return out(`${addressOf(user)} is not banned.`);
  await unbanAccount(db, user.id);
  out(`${addressOf(user)} may sign in again.`);
}

export async function mute({ db, out, nowMs }: Operation, account: string, time: string): Promise<void> {
  const until = muteTime(time, nowMs);
  const user = await requireUser(db, account);
  await setMutedUntil(db.kysely, user.id, until);
  out(`${addressOf(user)} is muted until ${timeOf(until)}.`);
}

export async function unmute({ db, out, nowMs }: Operation, account: string): Promise<void> {
  const user = await requireUser(db, account);
  if (muteEnd(user, nowMs) === null) return out(`${addressOf(user)} is not muted.`);
  await setMutedUntil(db.kysely, user.id, null);
  out(`${addressOf(user)} may write again.`);
}

/** The account may read and not write, until the operator says so. */
export async function review({ db, out }: Operation, account: string): Promise<void> {
  const user = await requireUser(db, account);
  if (user.under_review !== 0) return out(`${addressOf(user)} is under review already.`);
  await setUnderReview(db.kysely, user.id, true);
  out(`${addressOf(user)} is under review and cannot write.`);
}

export async function unreview({ db, out }: Operation, account: string): Promise<void> {
  const user = await requireUser(db, account);
  if (user.under_review === 0) return out(`${addressOf(user)} is not under review.`);
  await setUnderReview(db.kysely, user.id, false);
  out(`${addressOf(user)} may write again.`);
}

/** The only way past a wrong answer to the age gate: the first one is kept, whoever gave it. */
export async function forgetBirthday({ db, out }: Operation, account: string): Promise<void> {
  const user = await requireUser(db, account);
  if (user.birth_year === null) return out(`${addressOf(user)} has given no birthday.`);
  await clearBirthday(db.kysely, user.id);
  const month = String(user.birth_month).padStart(2, "0");
  out(
    `The birthday of ${addressOf(user)}, ${user.birth_year}-${month}, is forgotten: it can be given once more.`,
  );
}

/** Throws a StartError with one sentence when there is no such account. */
export async function requireUser({ kysely }: Database, account: string): Promise<UserRow> {
  const user = await findUser(kysely, keyOf(account));
  if (user === undefined) throw new StartError(`There is no account ${account}.`);
  return user;
}

function keyOf(account: string): UserKey {
  const email = normaliseEmail(account);
  if (isEmail(email)) return { email };
  return isPhone(account) ? { mobile: account } : { id: account };
}

export function addressOf(user: UserRow): string {
  return user.email ?? user.mobile ?? user.id;
}

function statusOf(user: UserRow, nowMs: number): string {
  if (user.banned_at !== null) return `banned since ${timeOf(user.banned_at)}`;
  const mutedUntil = muteEnd(user, nowMs);
  if (mutedUntil !== null) return `muted until ${timeOf(mutedUntil * 1000)}`;
  if (user.under_review !== 0) return "under review";
  return "active";
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
