// Where a caller is, as ISO 3166-1 alpha-2.
import type { Config } from "../../config.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import type { Ports } from "../../ports/ports.ts";

/** As their address tells, else where the edition is offered; null = unknown. */
export function regionOf(
  { config, ports }: { config: Pick<Config, "edition">; ports: Pick<Ports, "ipRegions"> },
  { ip }: Pick<RequestContext, "ip">,
): string | null {
  return ports.ipRegions.regionOf(ip) ?? (config.edition === "mainland" ? "CN" : null);
}
