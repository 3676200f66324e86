// Who someone is: signing up and in, tokens, settings.
import type { Deps } from "../../platform/deps.ts";
import type { Feature } from "../../platform/http/feature.ts";
import type { Gatekeepers } from "../../platform/http/gatekeepers.ts";
import { RateLimits } from "../guard/rate-limit.ts";
import { Sweeper } from "../guard/sweeper.ts";
import { accountRoutes } from "./account-routes.ts";
import { accountGatekeepers } from "./authenticate.ts";
import { deleteExpiredTokens } from "./login-token-store.ts";
import { LoginTokens } from "./login-tokens.ts";
import { signInRoutes, warnWithoutMailer } from "./sign-in-routes.ts";
import { deleteExpiredCodes } from "./verification-code-store.ts";

export type AccountsFeature = Feature &
  Pick<Gatekeepers, "authenticate" | "checkStanding"> & { readonly tokens: LoginTokens };

/** Routes of the account with its share of the checks of wire.md §1.6: steps 5 and 6. */
export function accountsFeature(deps: Deps): AccountsFeature {
  const { db, ports, log } = deps;
  const tokens = new LoginTokens(deps);
  // Its limits are all counted in the database, so that it needs none of another instance.
  const rates = new RateLimits(deps);
  const sweeper = new Sweeper({ clock: ports.clock, log, what: "accounts" }, async (nowMs) => {
    await deleteExpiredCodes(db.kysely, nowMs);
    await deleteExpiredTokens(db.kysely, nowMs);
  });

  return {
    name: "accounts",
    routes: [...signInRoutes(deps, rates), ...accountRoutes(deps, tokens)],
    tokens,
    ...accountGatekeepers(tokens, ports.clock),
    async start() {
      warnWithoutMailer(deps);
      await tokens.start();
      sweeper.start();
    },
    async stop() {
      await sweeper.stop();
      await tokens.stop();
    },
  };
}
