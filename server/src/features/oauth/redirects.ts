// Where a sign-in at a provider leads: /authorized with a nonce, or the sign-in page with the reason (wire-contract.md §18.5).
// Every address is made here, of nothing that a caller sent.
import type { RefusalCode } from "@plumb/protocol/wire/call";
import { OauthRefusal, type OauthProvider } from "@plumb/protocol/wire/oauth";
import type { Config } from "../../config.ts";
import type { Database } from "../../platform/database/database.ts";
import { RedirectAnswer } from "../../platform/http/answers.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Clock } from "../../ports/clock.ts";
import { IdentityRefused } from "../../ports/identity-provider.ts";
import type { OauthAccount } from "./find-or-make-account.ts";
import { browserCookie } from "./flow-cookie.ts";
import { issueTicket } from "./tickets.ts";

const NONCE_LIFE_MS = 5 * 60_000;

/** The absolute address of one of our paths, as people reach it. */
export function publicAddressOf(
  config: Pick<Config, "publicUrl">,
  { origin }: Pick<RequestContext, "origin">,
  path: string,
): string {
  return (config.publicUrl ?? origin) + path;
}

/** The page that exchanges the nonce for a token. */
export async function toAuthorized(
  { db, config, clock }: { db: Database; config: Pick<Config, "publicUrl">; clock: Clock },
  context: RequestContext,
  { provider, browser, account }: { provider: OauthProvider; browser: string; account: OauthAccount },
): Promise<RedirectAnswer> {
  const nonce = await issueTicket(
    db.kysely,
    {
      kind: provider === "GOOGLE" ? "google-nonce" : "wechat-nonce",
      browser,
      content: { userId: account.userId },
      lifeMs: NONCE_LIFE_MS,
    },
    clock.now(),
  );
  const query = new URLSearchParams({ nonce, provider, new: account.isNew ? "1" : "0" });
  return new RedirectAnswer(`/authorized?${query.toString()}`, [
    browserCookie(config.publicUrl, context, browser),
  ]);
}

/** Runs a step of a sign-in; whatever refuses it leads to the sign-in page with its reason. */
export async function orToSignIn(
  provider: OauthProvider,
  { log }: Pick<RequestContext, "log">,
  step: () => Promise<RedirectAnswer>,
): Promise<RedirectAnswer> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof IdentityRefused)
      log.warn({ provider, reason: error.message }, "a sign-in proved nothing");
    else if (!(error instanceof Refusal)) log.error({ err: error, provider }, "a sign-in failed");
    return toSignIn(provider, refusalOf(error));
  }
}

/** The sign-in page, which says why. */
export function toSignIn(provider: OauthProvider, { code, msg }: RefusalCode): RedirectAnswer {
  const query = new URLSearchParams({ provider, error: msg, code: String(code) });
  return new RedirectAnswer(`/sign_in?${query.toString()}`);
}

function refusalOf(error: unknown): RefusalCode {
  if (error instanceof Refusal) return error.refusal;
  const code = error instanceof IdentityRefused && error.reason === "code";
  return code ? OauthRefusal.SwapCodeInvalid : OauthRefusal.UnexpectedError;
}
