// Signing in through Google, and the exchange of the nonce that ends every such sign-in (wire-contract.md §8.7, §8.8, §8.11).
import {
  getOauthToken,
  GetTokenRefusal,
  googleAuthorize,
  googleCallback,
  OauthRefusal,
} from "@plumb/protocol/wire/oauth";
import type { Deps } from "../../platform/deps.ts";
import { type Policy, type Route, route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import { issueToken } from "../accounts/login-tokens.ts";
import { signInOrigin } from "../accounts/sign-in-origin.ts";
import { requireCaptcha } from "../guard/require-captcha.ts";
import { isBanned } from "../moderation/account-status.ts";
import { browserOf } from "./flow-cookie.ts";
import { finishGoogle, startGoogle } from "./google-flow.ts";
import { orToSignIn, toSignIn } from "./redirects.ts";
import { holdUserOfNonce } from "./nonces.ts";

const LOGIN = { rate: "login", accountStatus: "any" } as const;
const PAGE: Policy = { ...LOGIN, leadsTo: (why) => toSignIn("GOOGLE", why) };

export function oauthRoutes(deps: Deps): Route[] {
  const { config, db, ports } = deps;
  const { clock } = ports;
  const google = { config, db, clock, provider: ports.google };
  return [
    route(googleAuthorize, PAGE, async (context, request) =>
      orToSignIn("GOOGLE", context, async () => {
        await requireCaptcha(deps, request, context.ip, OauthRefusal.CaptchaFailed);
        return startGoogle(google, context);
      }),
    ),
    route(googleCallback, PAGE, async (context, request) =>
      orToSignIn("GOOGLE", context, () => finishGoogle(google, context, request)),
    ),
    route(getOauthToken, LOGIN, async (context, { nonce, provider }) => {
      const browser = browserOf(config.publicUrl, context);
      const origin = signInOrigin(deps, context);
      // An outcome is returned, because a throw would give the nonce back.
      const outcome = await db.transaction(async (trx) => {
        const use = { provider, nonce, browser };
        const user = await holdUserOfNonce(db, trx, use, clock.now());
        if (user === null) return GetTokenRefusal.NonceInvalid;
        if (isBanned(user)) return GetTokenRefusal.UserIsBanned;
        return { token: await issueToken(trx, user.id, clock.now(), origin) };
      });
      if ("msg" in outcome) throw new Refusal(outcome);
      return outcome;
    }),
  ];
}
