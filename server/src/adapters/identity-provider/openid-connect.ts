// Any OpenID Connect provider, Google's or another: authorization code with PKCE, state and nonce.
import { firstCodePoints } from "@plumb/protocol/rules/code-points";
import * as client from "openid-client";
import { codeOf } from "../../platform/error-words.ts";
import { fetchUpTo } from "../../platform/http/fetch-up-to.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Clock } from "../../ports/clock.ts";
import {
  IdentityRefused,
  type OpenIdPerson,
  type OpenIdProvider,
  type OpenIdSecrets,
} from "../../ports/identity-provider.ts";

/** For one request to the provider. */
const TIMEOUT_SECS = 10;
const CLOCK_SKEW_SECS = 60;
/** Of one answer: metadata, keys, tokens. */
const ANSWER_BYTES = 256 * 1024;
const SCOPE = "openid email profile";
const NAME_CHARS = 100;
const ADDRESS_CHARS = 2048;

interface OpenIdConnectOptions {
  /** As the provider names itself: its metadata and its tokens must say the same. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  log: Logger;
  /** The provider's own clock may differ from it by `CLOCK_SKEW_SECS`. */
  clock: Clock;
}

/** Asks for the provider's metadata when it is first needed, and again while it cannot be had. */
export function createOpenIdConnect(options: OpenIdConnectOptions): OpenIdProvider {
  const { issuer, clientId, clientSecret, log, clock } = options;
  const insecure = issuer.startsWith("http:");
  let known: Promise<client.Configuration> | null = null;

  function configuration(): Promise<client.Configuration> {
    known ??= client
      .discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: TIMEOUT_SECS,
        // By itself the library reads an answer of any length.
        [client.customFetch]: fetchUpTo(ANSWER_BYTES),
        execute: [
          // By the library's own choice an ID token that came by TLS is believed unread. Ours is always verified.
          client.enableNonRepudiationChecks,
          // An operator who names an issuer without TLS has it on this machine or in a closed network.
          ...(insecure ? [client.allowInsecureRequests] : []),
        ],
      })
      .catch((error: unknown) => {
        known = null;
        log.warn({ reason: reasonOf(error), issuer }, "the identity provider cannot be reached");
        throw new IdentityRefused("answer", "no metadata", { cause: error });
      });
    return known;
  }

  return {
    newSecrets: () => ({
      state: client.randomState(),
      nonce: client.randomNonce(),
      codeVerifier: client.randomPKCECodeVerifier(),
    }),

    async authorizationUrl({ state, nonce, codeVerifier }, redirectUri) {
      const challenge = await client.calculatePKCECodeChallenge(codeVerifier);
      return client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: "S256",
        // Who has several accounts chooses, rather than being signed in with whichever was used last.
        prompt: "select_account",
      }).href;
    },

    async identify(secrets, redirectUri, parameters) {
      const config = await configuration();
      try {
        return await personOf(config, secrets, redirectUri, parameters, clock.now());
      } catch (error) {
        const code = error instanceof client.ResponseBodyError && error.error === "invalid_grant";
        throw new IdentityRefused(code ? "code" : "answer", reasonOf(error), { cause: error });
      }
    },
  };
}

async function personOf(
  config: client.Configuration,
  { state, nonce, codeVerifier }: OpenIdSecrets,
  redirectUri: string,
  parameters: Readonly<Record<string, string>>,
  nowMs: number,
): Promise<OpenIdPerson> {
  const url = new URL(redirectUri);
  url.search = new URLSearchParams(parameters).toString();
  const answer = await client.authorizationCodeGrant(config, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const claims = answer.claims();
  if (claims === undefined) throw new Error("no ID token");
  requireSound(claims, config.serverMetadata().issuer, nowMs / 1000);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: textOf(claims["email"], ADDRESS_CHARS),
    emailVerified: claims["email_verified"] === true,
    name: textOf(claims["name"], NAME_CHARS) ?? "",
    picture: webAddressOf(claims["picture"]),
    locale: textOf(claims["locale"], NAME_CHARS),
  };
}

/**
 * What the library leaves to its caller, or does by settings of its own: an account is known by `iss` and `sub` alone, so that
 * neither may be empty or another's, and a token from the future was not issued for this sign-in.
 */
function requireSound({ iss, sub, iat }: client.IDToken, issuer: string, nowSecs: number): void {
  if (iss !== issuer) throw new Error("an ID token of another issuer");
  if (typeof sub !== "string" || sub.trim() === "") throw new Error("an ID token without a subject");
  if (!(iat <= nowSecs + CLOCK_SKEW_SECS)) throw new Error("an ID token from the future");
}

function textOf(value: unknown, most: number): string | null {
  return typeof value === "string" && value !== "" ? firstCodePoints(value, most) : null;
}

function webAddressOf(value: unknown): string | null {
  const text = textOf(value, ADDRESS_CHARS);
  return text !== null && URL.canParse(text) && new URL(text).protocol === "https:" ? text : null;
}

/** What went wrong, without anything that the provider or the person sent. */
function reasonOf(error: unknown): string {
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError)
    return `the provider refused: ${error.error.slice(0, 100)}`;
  return codeOf(error) ?? (error instanceof Error ? error.name : "unknown");
}
