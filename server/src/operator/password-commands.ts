// Accounts and passwords that an operator makes for others.
import { randomBytes, randomUUID } from "node:crypto";
import { isEmail, normaliseEmail } from "@plumb/protocol/rules/sign-in-rules";
import { endSignIns } from "../features/accounts/login-tokens.ts";
import { forgetFailedPasswords } from "../features/accounts/password-tries.ts";
import { hashPassword } from "../features/accounts/passwords.ts";
import { insertUser, setPasswordHash } from "../features/accounts/user-store.ts";
import { StartError } from "../platform/start-error.ts";
import { addressOf, type Operation, requireUser } from "./account-commands.ts";

/** 96 random bits, 16 characters that can be typed and read out. */
const newPassword = (): string => randomBytes(12).toString("base64url");

/** An account with a password that is shown once. */
export async function createUser({ db, out, nowMs }: Operation, address: string): Promise<void> {
  const email = normaliseEmail(address);
  if (!isEmail(email)) throw new StartError(`${address} is no e-mail address.`);
  const password = newPassword();
  const user = await insertUser(db.kysely, {
    id: randomUUID(),
    email,
    mobile: null,
    password_hash: await hashPassword(password),
    created_at: nowMs,
  });
  if (user === undefined) throw new StartError(`${email} has an account already.`);
  out(`${email} has an account now, ${user.id}. Its password, which is not shown again: ${password}`);
}

/** Another password, shown once; whoever is signed in has to use it. */
export async function resetPassword({ db, out }: Operation, account: string): Promise<void> {
  const user = await requireUser(db, account);
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  await db.transaction(async (trx) => {
    await setPasswordHash(trx, user.id, passwordHash);
    await forgetFailedPasswords(trx, user.id);
    await endSignIns(db, trx, user.id);
  });
  out(`${addressOf(user)} is signed out everywhere. The new password, which is not shown again: ${password}`);
}
