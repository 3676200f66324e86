// Signing in by password, e-mail or phone (wire.md §8.1).
import { isEmail, isPhone, normaliseEmail } from "@plumb/protocol/rules/sign-in-rules";
import { LoginRefusal, type SignedIn } from "@plumb/protocol/wire/accounts";
import type { Database } from "../../platform/database/database.ts";
import { Refusal } from "../../platform/refusal.ts";
import { networkOf } from "../guard/network-of.ts";
import type { RateLimits } from "../guard/rate-limit.ts";
import { isBanned } from "../moderation/account-status.ts";
import type { UserRow } from "./login-token-store.ts";
import { issueToken } from "./login-tokens.ts";
import { verifyPassword } from "./passwords.ts";
import { findUser } from "./user-store.ts";
import { userView } from "./user-view.ts";

interface SignInRequest {
  email: string | null;
  mobile: string | null;
  password: string;
}

/** What the request calls the account by; with both the e-mail counts. Null for texts that no account can have. */
function identifierOf({ email, mobile }: SignInRequest): { email: string } | { mobile: string } | null {
  const address = email === null ? "" : normaliseEmail(email);
  if (address) return isEmail(address) ? { email: address } : null;
  const number = mobile?.trim() ?? "";
  return isPhone(number) ? { mobile: number } : null;
}

/**
 * A new token and the account. Unknown account, account without password, no identifier and wrong password answer alike:
 * the same refusal after the same work, counted the same. Throws 42903 after ten failures in 15 minutes.
 */
export async function signIn(
  { db, rates }: { db: Database; rates: RateLimits },
  request: SignInRequest,
  { ip, nowMs }: { ip: string; nowMs: number },
): Promise<SignedIn> {
  const identifier = identifierOf(request);
  const name = identifier === null ? "" : "email" in identifier ? identifier.email : identifier.mobile;
  const attempt = await rates.takePasswordTry(name, networkOf(ip));
  let user: UserRow | undefined;
  let fits: boolean;
  try {
    user = identifier === null ? undefined : await findUser(db.kysely, identifier);
    fits = await verifyPassword(user?.password_hash ?? null, request.password);
  } catch (error) {
    // Refused because too many wait, or a fault: no password was compared, so none has failed.
    await attempt.giveBack();
    throw error;
  }
  if (user === undefined || !fits) throw new Refusal(LoginRefusal.PasswordOrUserNameIsWrong);

  await attempt.giveBack();
  if (isBanned(user)) throw new Refusal(LoginRefusal.UserIsBanned);
  const token = await issueToken(db.kysely, user.id, nowMs);
  return { user: userView(user, token, nowMs) };
}
