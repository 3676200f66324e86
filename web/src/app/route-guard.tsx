import { useLayoutEffect, type ReactNode } from "react";
import { useLocation, useSearch } from "wouter";
import { useEngine } from "../hooks/use-engine.tsx";
import { KEPT_ERRAND } from "../engine/sessions/kept-under.ts";
import { useSelector } from "../hooks/use-selector.ts";
import type { Route } from "./paths.ts";
import { decideRoute } from "./route-rules.ts";
import { Splash } from "./splash.tsx";

/** Shows the route of the address where the visitor may be there, and sends them on where not. */
export function RouteGuard({ children }: { children: (route: Route) => ReactNode }) {
  const engine = useEngine();
  const [path, navigate] = useLocation();
  const search = useSearch();
  const status = useSelector(engine.accounts.auth, (state) => state.status);
  const reason = useSelector(engine.accounts.auth, (state) => state.reason);
  const targetBeforeOauth = useSelector(engine.site.preferences, (state) => state.targetBeforeOauthLogin);
  const isConfirming = engine.accounts.ofTab.tabStorage.get(KEPT_ERRAND) !== null;
  const guestWelcome = useSelector(engine.site.settings, ({ settings, failed }) =>
    settings === null && !failed ? null : settings?.flags["guestWelcome"] === true,
  );
  const decision = decideRoute({
    path,
    search,
    status,
    reason,
    targetBeforeOauth,
    isConfirming,
    guestWelcome,
  });
  const target = decision.kind === "redirect" ? decision.to : null;

  useLayoutEffect(() => {
    if (target !== null) navigate(target, { replace: true });
  }, [target, navigate]);

  if (decision.kind === "show") return children(decision.route);
  return <Splash />;
}
