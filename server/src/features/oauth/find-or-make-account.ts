// Whose account a person of an OpenID provider has here (wire-contract.md §8.8).
//
// An account is known by issuer and subject alone. An address of e-mail never leads into an account that is there: whoever
// signed up with somebody else's address would otherwise own what they do after they came through their provider.
import { randomUUID } from "node:crypto";
import { isEmail, normaliseEmail } from "@plumb/protocol/rules/sign-in-rules";
import type { RefusalCode } from "@plumb/protocol/wire/call";
import { OauthRefusal } from "@plumb/protocol/wire/oauth";
import type { Database, Trx } from "../../platform/database/database.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { OpenIdPerson } from "../../ports/identity-provider.ts";
import {
  findIdentity,
  insertIdentity,
  listIdentitiesOf,
  updateIdentity,
} from "../accounts/identity-store.ts";
import { findUser, insertUser } from "../accounts/user-store.ts";
import { isBanned } from "../moderation/account-status.ts";

export interface OauthAccount {
  userId: string;
  isNew: boolean;
}

/**
 * `refusalOf` says why no account may be made for somebody with this verified address, or none; null where one may. Throws
 * Refusal with a code of wire-contract.md §18.5. An address that the provider has not verified is not kept.
 */
export async function findOrMakeAccount(
  db: Database,
  person: OpenIdPerson,
  nowMs: number,
  refusalOf: (email: string | null) => RefusalCode | null,
): Promise<OauthAccount> {
  return db.transaction(async (trx) => {
    const known = await knownAccount(trx, person, nowMs);
    if (known !== null) return known;
    const refusal = refusalOf(verifiedEmail(person));
    if (refusal !== null) throw new Refusal(refusal);
    return newAccount(trx, person, nowMs);
  });
}

const verifiedEmail = ({ email, emailVerified }: OpenIdPerson): string | null => {
  const address = email === null || !emailVerified ? "" : normaliseEmail(email);
  return isEmail(address) ? address : null;
};

const saidOf = (person: OpenIdPerson, nowMs: number) => ({
  name: person.name,
  picture: person.picture,
  locale: person.locale,
  email: verifiedEmail(person),
  used_at: nowMs,
});

async function knownAccount(trx: Trx, person: OpenIdPerson, nowMs: number): Promise<OauthAccount | null> {
  const identity = await findIdentity(trx, person);
  if (identity === undefined) return null;
  const user = await findUser(trx, { id: identity.user_id });
  if (user === undefined) throw new Error(`the account ${identity.user_id} of an identity is gone`);
  if (isBanned(user)) throw new Refusal(OauthRefusal.UserIsBanned);
  await updateIdentity(trx, person, saidOf(person, nowMs));
  return { userId: user.id, isNew: false };
}

async function newAccount(trx: Trx, person: OpenIdPerson, nowMs: number): Promise<OauthAccount> {
  const email = verifiedEmail(person);
  const user = await insertUser(trx, {
    id: randomUUID(),
    email,
    mobile: null,
    password_hash: null,
    created_at: nowMs,
  });
  if (user === undefined) {
    // The same person may have come through twice at once.
    const known = await knownAccount(trx, person, nowMs);
    if (known !== null) return known;
    throw new Refusal(await whyTaken(trx, email ?? ""));
  }
  const isBound = await insertIdentity(trx, {
    ...saidOf(person, nowMs),
    issuer: person.issuer,
    subject: person.subject,
    provider: "GOOGLE",
    user_id: user.id,
    usage: null,
    created_at: nowMs,
  });
  // Without an address to tell them apart the account is made twice, and one of the two goes again.
  if (!isBound) throw new Refusal(OauthRefusal.SwapCodeInvalid);
  return { userId: user.id, isNew: true };
}

/** An account has the address: one of another person at the provider, or one that is signed in to by e-mail. */
async function whyTaken(trx: Trx, email: string): Promise<RefusalCode> {
  const user = await findUser(trx, { email });
  const identities = user === undefined ? [] : await listIdentitiesOf(trx, user.id);
  return identities.some(({ provider }) => provider === "GOOGLE")
    ? OauthRefusal.EmailAlreadyBoundToOauth
    : OauthRefusal.OauthAlreadyBoundToEmail;
}
