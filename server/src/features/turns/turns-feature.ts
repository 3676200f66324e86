// What a user may ask for.
import type { Feature } from "../../platform/http/feature.ts";
import type { ReplyService } from "../replies/reply-service.ts";
import { turnRoutes } from "./turn-routes.ts";

export function turnsFeature(service: ReplyService): Feature {
  return { name: "turns", routes: turnRoutes(service) };
}
