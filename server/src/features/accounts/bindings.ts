// The ways into an account, and which of them may go (wire-contract.md §19.8).
import { LIMITS } from "@plumb/protocol/limits";
import { maskEmail, maskMobile } from "@plumb/protocol/rules/masks";
import type { ConfirmationWay } from "@plumb/protocol/wire/account-security";
import type { BindingKind, BoundSince } from "@plumb/protocol/wire/bindings";
import { toSeconds } from "../../platform/seconds.ts";
import type { Ports } from "../../ports/ports.ts";
import type { IdentityRow } from "./identity-store.ts";
import type { UserRow } from "./user-store.ts";

export interface AccountBinding {
  kind: BindingKind;
  /** Masked where it is an address or a number; of an identity without an address its name. */
  label: string;
  /** Unix ms; null = before it was kept. */
  boundAt: number | null;
}

/** What of the ways to sign in this server can serve. */
export interface SignInMeans {
  /** Codes go out by mail, and not only to the operator's outbox. */
  mail: boolean;
  sms: boolean;
  google: boolean;
  wechat: boolean;
}

export function meansOf({
  mailer,
  smsSender,
  google,
  wechat,
}: Pick<Ports, "mailer" | "smsSender" | "google" | "wechat">): SignInMeans {
  return {
    mail: mailer.kind !== "outbox",
    sms: smsSender.kind !== "outbox",
    google: google !== null,
    wechat: wechat !== null,
  };
}

/** The account's bindings: address, phone, then identities in their given order. */
export function bindingsOf(user: UserRow, identities: readonly IdentityRow[]): AccountBinding[] {
  const { email, mobile } = user;
  return [
    ...(email === null
      ? []
      : [{ kind: "email" as const, label: maskEmail(email), boundAt: user.email_bound_at }]),
    ...(mobile === null
      ? []
      : [{ kind: "phone" as const, label: maskMobile(mobile), boundAt: user.mobile_bound_at }]),
    ...identities.map((identity) => ({
      kind: kindOf(identity),
      label: identity.email === null ? identity.name : maskEmail(identity.email),
      boundAt: identity.created_at,
    })),
  ];
}

function kindOf({ provider }: Pick<IdentityRow, "provider">): "google" | "wechat" {
  return provider === "GOOGLE" ? "google" : "wechat";
}

const UNDO_MS = LIMITS.undoBindingLifeSecs * 1000;

/** Whether the link of its notice can still undo the binding: until then it may be a stranger's. */
export function isRecent({ boundAt }: AccountBinding, user: UserRow, nowMs: number): boolean {
  return boundAt !== null && boundAt > user.created_at && boundAt + UNDO_MS > nowMs;
}

/**
 * Whether nobody could sign in once `kind` is gone. An address or a phone counts where there is a password, or where a code can
 * be sent to it; an identity where its provider is set. `counts` leaves out others besides.
 */
export function isLastWayIn(
  user: UserRow,
  identities: readonly IdentityRow[],
  kind: BindingKind,
  means: SignInMeans,
  counts: (binding: AccountBinding) => boolean = () => true,
): boolean {
  const hasPassword = user.password_hash !== null;
  const serves: Record<BindingKind, boolean> = {
    email: hasPassword || means.mail,
    phone: hasPassword || means.sms,
    google: means.google,
    wechat: means.wechat,
  };
  return !bindingsOf(user, identities).some(
    (other) => other.kind !== kind && serves[other.kind] && counts(other),
  );
}

/**
 * Whether its owner may not remove `kind`: a way that was bound a moment ago does not count as one that stays, or whoever holds
 * the account for a moment could put their own in the place of all of its owner's.
 */
export function isNeeded(
  user: UserRow,
  identities: readonly IdentityRow[],
  kind: BindingKind,
  means: SignInMeans,
  nowMs: number,
): boolean {
  return isLastWayIn(user, identities, kind, means, (other) => !isRecent(other, user, nowMs));
}

/**
 * What was bound since a code to `proof` last set a password, or since the account was made. Of what nobody knows when it was
 * bound everything counts until the first such code.
 */
export function boundSince(
  user: UserRow,
  identities: readonly IdentityRow[],
  proof: "email" | "phone",
): AccountBinding[] {
  const provedAt = proof === "email" ? user.email_proved_at : user.mobile_proved_at;
  return bindingsOf(user, identities).filter(({ kind, boundAt }) => {
    if (kind === proof) return false;
    return boundAt === null ? provedAt === null : boundAt > (provedAt ?? user.created_at);
  });
}

/** How the account's owner can confirm that it is them: by nothing that was bound a moment ago. */
export function confirmationWays(
  user: UserRow,
  identities: readonly IdentityRow[],
  { google, wechat }: Pick<SignInMeans, "google" | "wechat">,
  nowMs: number,
): ConfirmationWay[] {
  const has = (kind: BindingKind) =>
    bindingsOf(user, identities).some((binding) => binding.kind === kind && !isRecent(binding, user, nowMs));
  const ways: [ConfirmationWay, boolean][] = [
    ["password", user.password_hash !== null],
    ["email", has("email")],
    ["sms", has("phone")],
    ["GOOGLE", google && has("google")],
    ["WECHAT", wechat && has("wechat")],
  ];
  return ways.flatMap(([way, isThere]) => (isThere ? [way] : []));
}

export function presentBinding({ kind, label, boundAt }: AccountBinding): BoundSince {
  return { kind, label, bound_at: boundAt === null ? null : toSeconds(boundAt) };
}
