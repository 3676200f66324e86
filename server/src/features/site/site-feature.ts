// The site as a whole: settings for the client, version, banner, reports.
import type { Deps } from "../../platform/deps.ts";
import type { Feature } from "../../platform/http/feature.ts";
import { siteRoutes } from "./site-routes.ts";
import { readWebVersion } from "./web-version.ts";

export function siteFeature(deps: Deps): Feature {
  return { name: "site", routes: siteRoutes(deps, readWebVersion()) };
}
