// Signing in through somebody else: Google and WeChat.
import type { Deps } from "../../platform/deps.ts";
import type { Feature } from "../../platform/http/feature.ts";
import { periodic } from "../../platform/periodic.ts";
import { confirmIdentityRoutes } from "./confirm-identity-routes.ts";
import { oauthRoutes } from "./oauth-routes.ts";
import { deleteExpiredTickets } from "./ticket-store.ts";
import { wechatRoutes } from "./wechat-routes.ts";

export function oauthFeature(deps: Deps): Feature {
  const cleanUp = periodic(deps, "oauth clean-up", 5 * 60_000, () =>
    deleteExpiredTickets(deps.db, deps.ports.clock.now()),
  );
  return {
    name: "oauth",
    routes: [...oauthRoutes(deps), ...wechatRoutes(deps), ...confirmIdentityRoutes(deps)],
    async start() {
      cleanUp.start();
    },
    stop: () => cleanUp.stop(),
  };
}
