// Invitations: made by the operator, or by the start of a server without any account (wire-contract.md §19.3).
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { openInvitationPrefix } from "@plumb/protocol/rules/sign-in-rules";
import type { Database, Trx } from "../../platform/database/database.ts";
import { countHit, uncountHit } from "../guard/counter-store.ts";
import { deleteInvitation, FIRST, insertInvitation, keepFirst, lockInvitation } from "./invitation-store.ts";
import type { Permit } from "./sign-up.ts";
import { isAnyUser } from "./user-store.ts";

export const INVITATION_LIFE_MS = 7 * 24 * 3_600_000;

/** Addresses that an invitation may be tried with in vain: it must not tell which it is for, or which have an account. */
const TRIES = { limit: 5, windowMs: 24 * 3_600_000 };

const hashOf = (invitation: string): string => createHash("sha256").update(invitation).digest("hex");

/** Derived, so that every replica and every start prints the same one, and the database alone does not reveal it. */
function firstInvitation(secretKey: string, salt: string): string {
  return createHmac("sha256", secretKey).update(`first-invitation:${salt}`).digest("base64url");
}

/** Makes an invitation that is good once and for seven days, for `email` (in lower case) alone where one is given. */
export async function makeInvitation(db: Database, email: string | null, nowMs: number): Promise<string> {
  const invitation = (email === null ? openInvitationPrefix : "") + randomBytes(32).toString("base64url");
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

interface InvitationDeps {
  db: Database;
  secretKey: string;
}

/** `email` is in lower case. */
interface InvitationUse {
  invitation: string;
  email: string;
}

const triesOf = (id: string): string => `invitation_tries:${id}`;

/**
 * Whom the invitation is for, locked until the transaction ends: the address itself, anybody, or who makes the first account.
 * "wrong" when it is unknown, used, expired, for another address, or was tried with too many of them today: these cannot be
 * told apart.
 */
async function lockFor(
  { db, secretKey }: InvitationDeps,
  trx: Trx,
  { invitation, email }: InvitationUse,
  nowMs: number,
): Promise<"address" | "anybody" | "first" | "wrong"> {
  const id = hashOf(invitation);
  const stored = await lockInvitation(db, trx, id);
  if (stored === undefined) {
    const first = await lockInvitation(db, trx, FIRST);
    if (first === undefined || first.salt === null) return "wrong";
    const fits = sameText(hashOf(firstInvitation(secretKey, first.salt)), id);
    return fits && !(await isAnyUser(trx)) ? "first" : "wrong";
  }
  if (stored.expires_at !== null && stored.expires_at <= nowMs) return "wrong";
  if ((await countHit(trx, triesOf(id), TRIES, nowMs)) !== null) return "wrong";
  if (stored.email !== null && stored.email !== email) return "wrong";
  await uncountHit(trx, triesOf(id), TRIES, nowMs);
  return stored.email === null ? "anybody" : "address";
}

/** Whether the invitation lets the owner of the address in. A wrong address is counted. */
export async function isInvited(deps: InvitationDeps, use: InvitationUse, nowMs: number): Promise<boolean> {
  return deps.db.transaction(async (trx) => (await lockFor(deps, trx, use, nowMs)) !== "wrong");
}

/**
 * The permit of an invitation. One for anybody takes `code` too, the permit of a code that was sent to the address; null: no
 * mail is set, and nothing can prove an address. Without a code it does not tell whether the address has an account.
 */
export function invitationPermit(
  deps: InvitationDeps,
  { code, ...use }: InvitationUse & { code: Permit | null },
  nowMs: number,
): Permit {
  const id = hashOf(use.invitation);
  let asked: Permit | null = null;
  return {
    async check(trx) {
      const invited = await lockFor(deps, trx, use, nowMs);
      if (invited === "wrong") return "uninvited";
      asked = invited === "anybody" ? code : null;
      return asked === null ? "right" : asked.check(trx);
    },
    async spend(trx) {
      await asked?.spend(trx);
      await deleteInvitation(trx, id);
      // Whoever comes in, there is a first account from then on.
      await deleteInvitation(trx, FIRST);
    },
    async refuseTaken(trx) {
      if (asked !== null) return asked.refuseTaken(trx);
      await countHit(trx, triesOf(id), TRIES, nowMs);
      return "uninvited";
    },
  };
}
