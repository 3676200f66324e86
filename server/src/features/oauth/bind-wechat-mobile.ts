// The phone of a person who came from WeChat: their account is the one of its number (wire-contract.md §8.12).
import { randomUUID } from "node:crypto";
import { isVerificationCode } from "@plumb/protocol/rules/sign-in-rules";
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import type { RefusalCode } from "@plumb/protocol/wire/call";
import { type Usage, WECHAT_SUCCESS, WechatBindingRefusal } from "@plumb/protocol/wire/oauth";
import type { Database, Trx } from "../../platform/database/database.ts";
import { Refusal } from "../../platform/refusal.ts";
import {
  IdentityRefused,
  type WechatGrant,
  type WechatLogin,
  type WechatProfile,
} from "../../ports/identity-provider.ts";
import { findIdentity, insertIdentity, listIdentitiesOf } from "../accounts/identity-store.ts";
import { issueToken } from "../accounts/login-tokens.ts";
import { tellOwner } from "../accounts/notices.ts";
import type { SignInOrigin } from "../accounts/sign-in-origin.ts";
import type { SignedInUser } from "../accounts/sign-in.ts";
import { holdUserOf, insertUser } from "../accounts/user-store.ts";
import { checkCode, type CodeRequester, smsCodeKey } from "../accounts/verification-codes.ts";
import { isBanned } from "../moderation/account-status.ts";
import { isTicket, readTicket, takeTicket } from "./tickets.ts";
import { subjectOf, WECHAT_ISSUER } from "./wechat-flow.ts";

interface Binding {
  signature: string;
  /** The value of the browser's cookie; null = it has none. */
  browser: string | null;
  /** 11 digits. */
  mobile: string;
  code: string;
  requester: CodeRequester;
  usage: readonly Usage[];
  origin: SignInOrigin;
  locale: Locale;
  /** Why no account may be made; null = it may. */
  mayNotMake: RefusalCode | null;
}

export type Bound = SignedInUser & { successCode: (typeof WECHAT_SUCCESS)[keyof typeof WECHAT_SUCCESS] };

interface BindingDeps {
  db: Database;
  codeKey: Uint8Array;
  provider: WechatLogin;
}

/**
 * The code is checked before WeChat is asked, and consumed in the transaction that binds. The signature is consumed by a
 * phone that was bound alone: whoever mistypes a code, or has come with a phone that cannot be theirs, tries again with it.
 * Throws Refusal.
 */
export async function bindWechatMobile(
  { db, codeKey, provider }: BindingDeps,
  binding: Binding,
  nowMs: number,
): Promise<Bound> {
  const { signature, browser, mobile, code, requester } = binding;
  if (!isTicket(signature)) throw new Refusal(WechatBindingRefusal.InvalidSignature);
  const use = { kind: "wechat-signature", ticket: signature, browser: browser ?? "" } as const;
  const grant = (await readTicket(db.kysely, use, nowMs)) as WechatGrant | undefined;
  if (grant === undefined) throw new Refusal(WechatBindingRefusal.RegistrationExpired);

  const check = async (trx: Trx, consume: boolean) =>
    checkCode(
      db,
      trx,
      codeKey,
      smsCodeKey(mobile, "login"),
      { code, deviceId: null, requester, consume },
      nowMs,
    );
  requireRight(isVerificationCode(code) ? await db.transaction((trx) => check(trx, false)) : "wrong");
  const profile = await profileOf(provider, grant);

  // The outcome is returned, because a throw would roll back the count of a wrong try.
  const outcome = await db.transaction(async (trx) => {
    const consumed = await check(trx, true);
    if (consumed !== "right") return consumed;
    const take = async () => (await takeTicket(trx, use, nowMs)) !== undefined;
    return bind({ db, trx }, binding, { grant, profile, take }, nowMs);
  });
  if (typeof outcome === "string") {
    requireRight(outcome);
    throw new Error("a right code bound nothing");
  }
  if ("msg" in outcome) throw new Refusal(outcome);
  return outcome;
}

function requireRight(outcome: "right" | "wrong" | "expired"): void {
  if (outcome === "expired") throw new Refusal(WechatBindingRefusal.CodeExpired);
  if (outcome === "wrong") throw new Refusal(WechatBindingRefusal.CodeWrong);
}

async function profileOf(provider: WechatLogin, grant: WechatGrant): Promise<WechatProfile> {
  let profile: WechatProfile;
  try {
    profile = await provider.profile(grant);
  } catch (error) {
    if (error instanceof IdentityRefused) throw new Refusal(WechatBindingRefusal.GetProfileFailed);
    throw error;
  }
  // It answers of somebody else: nothing that it says is to be believed.
  if (profile.openId !== grant.openId) throw new Refusal(WechatBindingRefusal.InternalError);
  return profile;
}

/** The code is spent by now, whatever comes of it; `take` spends the signature, and tells whether it was still good. */
async function bind(
  { db, trx }: { db: Database; trx: Trx },
  { mobile, usage, origin, locale, mayNotMake }: Binding,
  { grant, profile, take }: { grant: WechatGrant; profile: WechatProfile; take: () => Promise<boolean> },
  nowMs: number,
): Promise<Bound | RefusalCode> {
  const person = { issuer: WECHAT_ISSUER, subject: subjectOf(grant) };
  const known = await holdUserOf(db, trx, { mobile });
  if (known !== undefined && isBanned(known)) return WechatBindingRefusal.MobileIsBanned;

  const bound = await findIdentity(trx, person);
  if (bound !== undefined)
    return bound.user_id === known?.id
      ? WechatBindingRefusal.AccountAlreadyExists
      : WechatBindingRefusal.WechatBoundToOtherMobile;
  const others = known === undefined ? [] : await listIdentitiesOf(trx, known.id);
  if (others.some(({ provider }) => provider === "WECHAT"))
    return WechatBindingRefusal.MobileBoundToOtherWechat;
  if (known === undefined && mayNotMake !== null) return mayNotMake;
  if (!(await take())) return WechatBindingRefusal.RegistrationExpired;

  const account = { id: randomUUID(), email: null, mobile, password_hash: null, created_at: nowMs };
  const user = known ?? (await insertUser(trx, account));
  // Thrown, so that neither code nor signature is spent: the number got its account meanwhile, which the next try finds.
  if (user === undefined) throw new Refusal(WechatBindingRefusal.InternalError);
  const isBound = await insertIdentity(trx, {
    ...person,
    provider: "WECHAT",
    user_id: user.id,
    name: profile.name,
    picture: profile.picture,
    locale: null,
    email: null,
    usage: usage.length === 0 ? null : [...new Set(usage)].join(","),
    created_at: nowMs,
    used_at: nowMs,
  });
  if (!isBound) throw new Refusal(WechatBindingRefusal.InternalError);
  if (known !== undefined)
    await tellOwner(db, trx, { userId: user.id, about: "wechat_bound", atMs: nowMs, locale });
  return {
    user,
    token: await issueToken(trx, user.id, nowMs, origin),
    successCode: known === undefined ? WECHAT_SUCCESS.registered : WECHAT_SUCCESS.bound,
  };
}
