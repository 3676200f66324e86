// Signing in with Google, or whatever OpenID Connect provider stands in its place (wire-contract.md §8.7, §8.8).
import { googleCallback, OauthRefusal } from "@plumb/protocol/wire/oauth";
import type { RequestOf } from "@plumb/protocol/wire/call";
import type { Config } from "../../config.ts";
import type { Database } from "../../platform/database/database.ts";
import { RedirectAnswer } from "../../platform/http/answers.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Clock } from "../../ports/clock.ts";
import type { OpenIdProvider, OpenIdSecrets } from "../../ports/identity-provider.ts";
import { mayRegister } from "../accounts/email-domains.ts";
import { findOrMakeAccount } from "./find-or-make-account.ts";
import { browserCookie, browserOf, browserOrNew } from "./flow-cookie.ts";
import { publicAddressOf, toAuthorized } from "./redirects.ts";
import { issueTicket, takeTicket } from "./tickets.ts";

const STATE_LIFE_MS = 10 * 60_000;

export interface GoogleFlowDeps {
  config: Pick<Config, "publicUrl" | "signUp" | "emailDomains">;
  db: Database;
  clock: Clock;
  /** Null: not configured. */
  provider: OpenIdProvider | null;
}

/** What is kept under the state until the provider's answer. */
interface Begun {
  secrets: OpenIdSecrets;
  redirectUri: string;
}

/** Sends the browser to the provider. Throws Refusal and IdentityRefused. */
export async function startGoogle(
  { config, db, clock, provider }: GoogleFlowDeps,
  context: RequestContext,
): Promise<RedirectAnswer> {
  if (provider === null) throw new Refusal(OauthRefusal.UnexpectedError);
  const browser = browserOrNew(config.publicUrl, context);
  const secrets = provider.newSecrets();
  const redirectUri = publicAddressOf(config, context, googleCallback.path);
  const location = await provider.authorizationUrl(secrets, redirectUri);
  const content: Begun = { secrets, redirectUri };
  await issueTicket(
    db.kysely,
    { kind: "google-state", browser, content, lifeMs: STATE_LIFE_MS },
    clock.now(),
    secrets.state,
  );
  return new RedirectAnswer(location, [browserCookie(config.publicUrl, context, browser)]);
}

/** What the provider sent the browser back with. Throws Refusal and IdentityRefused. */
export async function finishGoogle(
  deps: GoogleFlowDeps,
  context: RequestContext,
  { code, state, error, iss }: RequestOf<typeof googleCallback>,
): Promise<RedirectAnswer> {
  const { config, db, clock, provider } = deps;
  const browser = browserOf(config.publicUrl, context);
  if (provider === null || browser === null || state === null)
    throw new Refusal(OauthRefusal.UnexpectedError);
  const use = { kind: "google-state", ticket: state, browser } as const;
  // Taken whatever the answer is: a second one to the same question is never looked at.
  const begun = (await takeTicket(db.kysely, use, clock.now())) as Begun | undefined;
  if (begun === undefined || error !== null || code === null) throw new Refusal(OauthRefusal.UnexpectedError);
  const person = await provider.identify(begun.secrets, begun.redirectUri, {
    code,
    state,
    ...(iss === null ? {} : { iss }),
  });
  const account = await findOrMakeAccount(db, person, clock.now(), (email) => {
    if (config.signUp !== "open") return OauthRefusal.RegistrationClosed;
    const isOfADomain = email === null ? config.emailDomains.length === 0 : mayRegister(config, email);
    return isOfADomain ? null : OauthRefusal.EmailDomainNotSupported;
  });
  context.log.info({ user: account.userId, new: account.isNew }, "signed in with Google");
  return toAuthorized({ db, config, clock }, context, { provider: "GOOGLE", browser, account });
}
