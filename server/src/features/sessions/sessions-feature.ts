// Conversations as stored.
import { LIMITS } from "@plumb/protocol/limits";
import type { Deps } from "../../platform/deps.ts";
import type { Feature } from "../../platform/http/feature.ts";
import { messageRoutes } from "./message-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { purgeSessions } from "./purge-store.ts";
import { periodic } from "../../platform/periodic.ts";

const PURGE_MS = 10 * 60_000;

export function sessionsFeature(deps: Deps): Feature {
  const purge = periodic(deps, "purge of sessions", PURGE_MS, () =>
    purgeSessions({ db: deps.db, clock: deps.ports.clock }, LIMITS),
  );
  return {
    name: "sessions",
    routes: [...sessionRoutes(deps), ...messageRoutes(deps)],
    start: async () => purge.start(),
    stop: () => purge.stop(),
  };
}
