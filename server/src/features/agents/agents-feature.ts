// Who answers: the agents that everybody has, and those that users make for themselves.
import type { Deps } from "../../platform/deps.ts";
import type { Feature } from "../../platform/http/feature.ts";
import { characterRoutes } from "./character-routes.ts";
import { deleteCharactersOfUser } from "./character-store.ts";

export function agentsFeature(deps: Deps): Feature {
  deps.events.on("accountDeleted", ({ userId, trx }) => deleteCharactersOfUser(trx, userId));
  return { name: "agents", routes: characterRoutes(deps) };
}
