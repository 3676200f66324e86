// Who answers: the agents that everybody has, and those that users make for themselves.
import type { Deps } from "../../platform/deps.ts";
import type { Feature } from "../../platform/http/feature.ts";
import { characterRoutes } from "./character-routes.ts";

export function agentsFeature(deps: Deps): Feature {
  return { name: "agents", routes: characterRoutes(deps) };
}
