// Who someone is: signing up and in, tokens, settings.
import type { Deps } from "../../platform/deps.ts";
import type { Feature } from "../../platform/http/feature.ts";

import { periodic } from "../../platform/periodic.ts";
import { RateLimits } from "../guard/rate-limit.ts";
import { accountRoutes } from "./account-routes.ts";
import { type AccountGatekeepers, accountGatekeepers } from "./authenticate.ts";
import { deleteExpiredTokens } from "./login-token-store.ts";
import { LoginTokens } from "./login-tokens.ts";
import { signInRoutes, warnWithoutMailer } from "./sign-in-routes.ts";
import { deleteExpiredCodes } from "./verification-code-store.ts";

type AccountsFeature = Feature & AccountGatekeepers;

/** Routes of the account with its share of the checks of wire-contract.md §1.6: steps 5 and 6. */
export function accountsFeature(deps: Deps): AccountsFeature {
  const { db, ports } = deps;
  const tokens = new LoginTokens(deps);
  // Its limits are all counted in the database, so that it needs none of another instance.
  const rates = new RateLimits(deps);
  const cleanUp = periodic(deps, "accounts clean-up", 5 * 60_000, async () => {
    await deleteExpiredCodes(db.kysely, ports.clock.now());
    await deleteExpiredTokens(db.kysely, ports.clock.now());
  });

  return {
    name: "accounts",
    routes: [...signInRoutes(deps, rates), ...accountRoutes(deps, tokens)],
    ...accountGatekeepers(tokens, ports.clock),
    async start() {
      warnWithoutMailer(deps);
      await tokens.start();
      cleanUp.start();
    },
    async stop() {
      await cleanUp.stop();
      await tokens.stop();
    },
  };
}
