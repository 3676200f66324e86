// Invitations: made by the operator, or by the start of a server without any account (wire-contract.md §19.3).
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database, Trx } from "../../platform/database/database.ts";
import { deleteInvitation, FIRST, insertInvitation, keepFirst, lockInvitation } from "./invitation-store.ts";
import type { Permit } from "./sign-up.ts";
import { isAnyUser } from "./user-store.ts";

export const INVITATION_LIFE_MS = 7 * 24 * 3_600_000;

const hashOf = (invitation: string): string => createHash("sha256").update(invitation).digest("hex");

/** Derived, so that every replica and every start prints the same one, and the database alone does not reveal it. */
function firstInvitation(secretKey: string, salt: string): string {
  return createHmac("sha256", secretKey).update(`first-invitation:${salt}`).digest("base64url");
}

/** Makes an invitation that is good once and for seven days, for `email` (in lower case) alone where one is given. */
export async function makeInvitation(db: Database, email: string | null, nowMs: number): Promise<string> {
  const invitation = randomBytes(32).toString("base64url");
  await insertInvitation(db.kysely, {
    id: hashOf(invitation),
    salt: null,
    email,
    created_at: nowMs,
    expires_at: nowMs + INVITATION_LIFE_MS,
  });
  return invitation;
}

/** The invitation of the first account; null as soon as there is one. */
export async function inviteFirst(
  { db, secretKey }: { db: Database; secretKey: string },
  nowMs: number,
): Promise<string | null> {
  if (await isAnyUser(db.kysely)) return null;
  const salt = await keepFirst(db.kysely, randomBytes(16).toString("base64url"), nowMs);
  return firstInvitation(secretKey, salt);
}

const sameText = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * The permit of an invitation: wrong when it is unknown or used, expired when it is no longer good. That it is for another
 * address is told to whoever holds it, since only the right address lets them in: which one that is, is not.
 */
export function invitationPermit(
  { db, secretKey }: { db: Database; secretKey: string },
  { invitation, email }: { invitation: string; email: string },
  nowMs: number,
): Permit {
  const id = hashOf(invitation);

  async function isFirst(trx: Trx): Promise<boolean> {
    const first = await lockInvitation(db, trx, FIRST);
    if (first === undefined || first.salt === null) return false;
    return sameText(hashOf(firstInvitation(secretKey, first.salt)), id) && !(await isAnyUser(trx));
  }

  return {
    async check(trx) {
      const stored = await lockInvitation(db, trx, id);
      if (stored === undefined) return (await isFirst(trx)) ? "right" : "wrong";
      if (stored.expires_at !== null && stored.expires_at <= nowMs) return "expired";
      return stored.email === null || stored.email === email ? "right" : "elsewhere";
    },
    async spend(trx) {
      await deleteInvitation(trx, id);
      // Whoever comes in, there is a first account from then on.
      await deleteInvitation(trx, FIRST);
    },
    isSpentOnTaken: false,
  };
}
