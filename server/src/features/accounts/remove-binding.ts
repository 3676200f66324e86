// Takes a way in from an account: by its owner, by the link that told of it, by the operator (wire-contract.md §19.8, §19.9).
import { LIMITS } from "@plumb/protocol/limits";
import type { BindingKind, RemovableKind } from "@plumb/protocol/wire/bindings";
import type { Database, Trx } from "../../platform/database/database.ts";
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import { type AccountBinding, bindingsOf, isLastWayIn, isNeeded, type SignInMeans } from "./bindings.ts";
import { deleteIdentity, type IdentityRow, listIdentitiesOf } from "./identity-store.ts";
import { deleteOtherTokensOf } from "./login-token-store.ts";
import { endSignIns, notifyRevoked } from "./login-tokens.ts";
import { tellOwner } from "./notices.ts";
import { readUndoToken } from "./undo-token.ts";
import {
  endLinks,
  findUser,
  keepFormerMobile,
  lockUserIfThere,
  removeAddress,
  removePassword,
  type UserRow,
} from "./user-store.ts";

/** As long as a binding can be undone. */
const FORMER_PHONE_MS = LIMITS.undoBindingLifeSecs * 1000;

interface HeldAccount {
  user: UserRow;
  identities: IdentityRow[];
}

/** The account with its row held until the transaction ends: of two that remove ways at once the second sees what is left. */
async function holdAccount(db: Database, trx: Trx, userId: string): Promise<HeldAccount | null> {
  if (!(await lockUserIfThere(db, trx, userId))) return null;
  const user = await findUser(trx, { id: userId });
  return user === undefined ? null : { user, identities: await listIdentitiesOf(trx, userId) };
}

/** Removes the binding from the account, whose row is held. */
export async function removeBinding(trx: Trx, userId: string, kind: BindingKind): Promise<void> {
  if (kind === "google" || kind === "wechat")
    await deleteIdentity(trx, userId, kind === "google" ? "GOOGLE" : "WECHAT");
  else await removeAddress(trx, userId, kind);
}

/**
 * Its owner removes a way in, and is told. All other sign-ins and all links end, because they may have come by it; `keepToken` is
 * the caller's own. The account as it is then, or why nothing was removed.
 */
export async function unbindOwn(
  db: Database,
  {
    userId,
    kind,
    keepToken,
    locale,
  }: { userId: string; kind: RemovableKind; keepToken: string; locale: Locale },
  means: SignInMeans,
  nowMs: number,
): Promise<UserRow | "gone" | "not bound" | "last way in"> {
  return db.transaction(async (trx) => {
    const held = await holdAccount(db, trx, userId);
    if (held === null) return "gone";
    if (bindingOf(held, kind) === undefined) return "not bound";
    if (isNeeded(held.user, held.identities, kind, means, nowMs)) return "last way in";
    if (kind === "phone") await keepFormerMobile(trx, held.user, { nowMs, lifeMs: FORMER_PHONE_MS });
    await removeBinding(trx, userId, kind);
    await endLinks(trx, userId);
    await deleteOtherTokensOf(trx, userId, keepToken);
    await notifyRevoked(db, trx, { userId, tokenHash: null });
    await tellOwner(db, trx, { userId, about: `${kind}_unbound`, atMs: nowMs, locale });
    return (await findUser(trx, { id: userId })) ?? "gone";
  });
}

/** The operator removes a way in: as the link of a notice does. */
export async function unbindByOperator(
  db: Database,
  { userId, kind }: { userId: string; kind: RemovableKind },
  means: SignInMeans,
): Promise<"done" | "not bound" | "last way in"> {
  return db.transaction(async (trx) => {
    const held = await holdAccount(db, trx, userId);
    const binding = held === null ? undefined : bindingOf(held, kind);
    if (held === null || binding === undefined) return "not bound";
    return (await expel(db, trx, held, binding, means)) ? "done" : "last way in";
  });
}

/**
 * Undoes the binding that a notice told of, by the token of its link. Whoever asks again is told the same. Null where the token
 * is forged or expired, where something else of this kind is bound by now, and where nobody could sign in without it.
 */
export async function undoBinding(
  { db, secretKey }: { db: Database; secretKey: string },
  token: string,
  means: SignInMeans,
  nowMs: number,
): Promise<{ userId: string; kind: RemovableKind } | null> {
  const right = readUndoToken(secretKey, token);
  if (right === null || right.expireAt <= nowMs) return null;
  const { userId, kind, boundAt } = right;
  return db.transaction(async (trx) => {
    const held = await holdAccount(db, trx, userId);
    if (held === null) return null;
    const binding = bindingOf(held, kind);
    if (binding !== undefined && binding.boundAt !== boundAt) return null;
    // Where it is gone already, what it has brought may still be there.
    return (await expel(db, trx, held, { kind, boundAt }, means)) ? { userId, kind } : null;
  });
}

function bindingOf({ user, identities }: HeldAccount, kind: RemovableKind): AccountBinding | undefined {
  return bindingsOf(user, identities).find((binding) => binding.kind === kind);
}

/**
 * Removes what a stranger may have bound, with all that it may have brought them: sign-ins, links, and where it is a phone what a
 * code to it has done, which are a password (a new one comes by a code to the address) and a WeChat that was bound by it. False
 * where nobody could sign in without it.
 */
async function expel(
  db: Database,
  trx: Trx,
  { user, identities }: HeldAccount,
  { kind, boundAt }: Pick<AccountBinding, "kind" | "boundAt">,
  means: SignInMeans,
): Promise<boolean> {
  const stay = identities.filter((identity) => !cameBy({ kind, boundAt }, identity));
  const isThere = bindingsOf(user, identities).some((binding) => binding.kind === kind);
  const isNeededNow = isLastWayIn(user, stay, kind, means);
  if (isNeededNow && isThere) return false;
  if (user.password_proved_by === kind && user.email !== null) await removePassword(trx, user.id);
  if (!isNeededNow && stay.length < identities.length) await removeBinding(trx, user.id, "wechat");
  await removeBinding(trx, user.id, kind);
  await endSignIns(db, trx, user.id);
  return true;
}

/** WeChat is bound by a code to the account's phone alone. */
function cameBy({ kind, boundAt }: Pick<AccountBinding, "kind" | "boundAt">, identity: IdentityRow): boolean {
  return (
    kind === "phone" && identity.provider === "WECHAT" && boundAt !== null && identity.created_at > boundAt
  );
}
