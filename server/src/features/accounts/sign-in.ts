// Signing in by password, e-mail or phone (wire-contract.md §8.1).
import { isEmail, isPhone, normaliseEmail } from "@plumb/protocol/rules/sign-in-rules";
import { LoginRefusal } from "@plumb/protocol/wire/sign-in";
import type { Database } from "../../platform/database/database.ts";
import { Refusal } from "../../platform/refusal.ts";
import { isBanned } from "../moderation/account-status.ts";
import type { KnownAccount } from "./device-cookie.ts";
import { issueTokenForPassword } from "./login-tokens.ts";
import type { PasswordTries } from "./password-tries.ts";
import { hashPassword, isWeakHash, verifyPassword } from "./passwords.ts";
import type { SignInOrigin } from "./sign-in-origin.ts";
import { findUser, replacePasswordHash, type UserKey, type UserRow } from "./user-store.ts";

interface SignInRequest {
  email: string | null;
  mobile: string | null;
  password: string;
}

interface Caller {
  /** The address, or the /48 of an IPv6 one: a customer may have all of it. */
  network: string;
  /** The account's name for the caller's browser, null when the account does not know it. */
  deviceFor(account: KnownAccount): string | null;
  origin: SignInOrigin;
}

/** An account and the token that was just issued to it. */
export interface SignedInUser {
  user: UserRow;
  token: string;
}

/** The account that the request names; with both an e-mail and a number the e-mail counts. Null when neither is valid. */
function readIdentifier({ email, mobile }: SignInRequest): UserKey | null {
  const address = email === null ? "" : normaliseEmail(email);
  if (address) return isEmail(address) ? { email: address } : null;
  const number = mobile?.trim() ?? "";
  return isPhone(number) ? { mobile: number } : null;
}

/**
 * Issues a token to the account whose password was given. An unknown account, an account without a password, no
 * identifier and a wrong password cannot be told apart: the same refusal (2) after the same work, counted the same.
 * Refuses a banned account with 10, and throws 42903 after too many failures.
 */
export async function signIn(
  { db, tries }: { db: Database; tries: PasswordTries },
  request: SignInRequest,
  caller: Caller,
  nowMs: number,
): Promise<SignedInUser> {
  const identifier = readIdentifier(request);
  const user = identifier === null ? undefined : await findUser(db.kysely, identifier);
  const [kind = "", name = ""] = Object.entries(identifier ?? {})[0] ?? [];
  // Of an e-mail address and a phone each counts by itself, or who tries both could tell that they are of one account.
  const account = user === undefined ? name : `${user.id}:${kind}`;

  // Asked for an account that is not there as well: it takes its time.
  const device = caller.deviceFor(user ?? { id: name, password_hash: null });
  const guess = { account, network: caller.network, device };
  const fits = await tries.guess(guess, () => verifyPassword(user?.password_hash ?? null, request.password));
  if (user === undefined || !fits) throw new Refusal(LoginRefusal.PasswordOrUserNameIsWrong);
  if (isBanned(user)) throw new Refusal(LoginRefusal.UserIsBanned);

  const entered = await withTodaysHash(db, user, request.password);
  const token = await issueTokenForPassword(db, entered, nowMs, caller.origin);
  if (token === null) throw new Refusal(LoginRefusal.PasswordOrUserNameIsWrong);
  return { user: entered, token };
}

/**
 * The account whose password is known to be this one. Where its hash was made by a weaker rule than today's it gets a new one:
 * once, at the first sign-in after the rule has changed. Other browsers are strangers to it then, until they sign in.
 */
async function withTodaysHash(db: Database, user: UserRow, password: string): Promise<UserRow> {
  const before = user.password_hash;
  if (before === null || !isWeakHash(before)) return user;
  const after = await hashPassword(password);
  if (await replacePasswordHash(db.kysely, user.id, { before, after }))
    return { ...user, password_hash: after };
  // Another sign-in was quicker, or the password is another one now.
  const now = await findUser(db.kysely, { id: user.id });
  const fits = now !== undefined && (await verifyPassword(now.password_hash, password));
  return fits ? now : user;
}
