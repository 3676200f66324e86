// Signing in with WeChat up to the point where a phone is known (wire-contract.md §8.9, §8.10).
import type { RequestOf } from "@plumb/protocol/wire/call";
import {
  OauthRefusal,
  wechatCallback,
  type WechatStart,
  WechatStartRefusal,
} from "@plumb/protocol/wire/oauth";
import type { Config } from "../../config.ts";
import type { Database } from "../../platform/database/database.ts";
import { Answer, RedirectAnswer } from "../../platform/http/answers.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Clock } from "../../ports/clock.ts";
import type { WechatGrant, WechatLogin } from "../../ports/identity-provider.ts";
import { findIdentity, updateIdentity } from "../accounts/identity-store.ts";
import { findUser } from "../accounts/user-store.ts";
import { isBanned } from "../moderation/account-status.ts";
import { browserCookie, browserOf, browserOrNew } from "./flow-cookie.ts";
import { publicAddressOf, toAuthorized } from "./redirects.ts";
import { issueTicket, randomTicket, takeTicket } from "./tickets.ts";

/** The people of WeChat, by their union id, or in this app alone where the operator's has none. */
export const WECHAT_ISSUER = "wechat";
const LIFE_MS = 10 * 60_000;
const BETA = "beta.";

export interface WechatFlowDeps {
  config: Pick<Config, "publicUrl" | "production">;
  db: Database;
  clock: Clock;
  /** Null: not configured. */
  provider: WechatLogin | null;
}

/** Whom the signature of /mobile_verification stands for. */
export type WechatPending = WechatGrant;

/** Names the person among the identities. */
export function subjectOf({ unionId, openId }: Pick<WechatGrant, "unionId" | "openId">): string {
  return unionId ?? openId;
}

/** What the page with the QR code is asked for. Throws Refusal 1. */
export async function startWechat(
  { config, db, clock, provider }: WechatFlowDeps,
  context: RequestContext,
): Promise<Answer> {
  if (provider === null) throw new Refusal(WechatStartRefusal.WechatNotConfigured);
  const browser = browserOrNew(config.publicUrl, context);
  const redirectUri = publicAddressOf(config, context, wechatCallback.path);
  const ticket = await issueTicket(
    db.kysely,
    { kind: "wechat-state", browser, content: {}, lifeMs: LIFE_MS },
    clock.now(),
    randomTicket(),
  );
  const state = config.production ? ticket : BETA + ticket;
  const started: WechatStart = {
    app_id: provider.appId,
    scope: "snsapi_login",
    state,
    redirect_uri: redirectUri,
    qr_url: provider.qrUrl({ redirectUri, state }),
  };
  return Answer.withHeaders(started, { "set-cookie": browserCookie(config.publicUrl, context, browser) });
}

/** What WeChat sent the browser back with: to the account, or to the page that asks for a phone. Throws Refusal and IdentityRefused. */
export async function finishWechat(
  { config, db, clock, provider }: WechatFlowDeps,
  context: RequestContext,
  { code, state }: RequestOf<typeof wechatCallback>,
): Promise<RedirectAnswer> {
  const browser = browserOf(config.publicUrl, context);
  if (provider === null || browser === null || state === null)
    throw new Refusal(OauthRefusal.UnexpectedError);
  const ticket = state.startsWith(BETA) ? state.slice(BETA.length) : state;
  const begun = await takeTicket(db.kysely, { kind: "wechat-state", ticket, browser }, clock.now());
  if (begun === undefined || code === null) throw new Refusal(OauthRefusal.UnexpectedError);

  const grant = await provider.exchange(code);
  const person = { issuer: WECHAT_ISSUER, subject: subjectOf(grant) };
  const identity = await findIdentity(db.kysely, person);
  if (identity !== undefined) {
    const user = await findUser(db.kysely, { id: identity.user_id });
    if (user === undefined) throw new Error(`the account ${identity.user_id} of an identity is gone`);
    if (isBanned(user)) throw new Refusal(OauthRefusal.UserIsBanned);
    const { name, picture, locale, email } = identity;
    await updateIdentity(db.kysely, person, { name, picture, locale, email, used_at: clock.now() });
    const account = { userId: user.id, isNew: false };
    context.log.info({ user: user.id }, "signed in with WeChat");
    return toAuthorized({ db, config, clock }, context, { provider: "WECHAT", browser, account });
  }
  const content: WechatPending = grant;
  const signature = await issueTicket(
    db.kysely,
    { kind: "wechat-signature", browser, content, lifeMs: LIFE_MS },
    clock.now(),
  );
  return new RedirectAnswer(`/mobile_verification?signature=${signature}`, [
    browserCookie(config.publicUrl, context, browser),
  ]);
}
