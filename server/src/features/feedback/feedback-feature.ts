// What readers think of replies.
import type { Deps } from "../../platform/deps.ts";
import type { Feature } from "../../platform/http/feature.ts";
import { feedbackRoutes } from "./feedback-routes.ts";

export function feedbackFeature(deps: Deps): Feature {
  return { name: "feedback", routes: feedbackRoutes(deps) };
}
