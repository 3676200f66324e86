// The nonce that ends a sign-in at a provider: it stands for an account, for a token or as a proof (wire-contract.md §8.11, §19.8).
import type { OauthProvider } from "@plumb/protocol/wire/oauth";
import type { Database, Trx } from "../../platform/database/database.ts";
import { listIdentitiesOf } from "../accounts/identity-store.ts";
import { findUser, lockUserIfThere, type UserRow } from "../accounts/user-store.ts";
import { takeTicket } from "./tickets.ts";

interface NonceUse {
  provider: OauthProvider;
  nonce: string;
  /** The value of the browser's cookie; null = it has none. */
  browser: string | null;
}

/**
 * Spends the nonce: the account it leads to, with its row held until the transaction ends; null for one that is not good, and
 * where the account is gone or has let go of the provider since.
 */
export async function holdUserOfNonce(
  db: Database,
  trx: Trx,
  { provider, nonce, browser }: NonceUse,
  nowMs: number,
): Promise<UserRow | null> {
  if (browser === null) return null;
  const kind = provider === "GOOGLE" ? "google-nonce" : "wechat-nonce";
  const content = (await takeTicket(trx, { kind, ticket: nonce, browser }, nowMs)) as
    { userId: string } | undefined;
  if (content === undefined || !(await lockUserIfThere(db, trx, content.userId))) return null;
  const identities = await listIdentitiesOf(trx, content.userId);
  if (!identities.some((identity) => identity.provider === provider)) return null;
  return (await findUser(trx, { id: content.userId })) ?? null;
}
