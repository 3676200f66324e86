// Regions as ISO 3166-1 alpha-2.
import type { Edition } from "@plumb/protocol/rules/edition-rules";
import type { IpRegions } from "../../ports/ip-regions.ts";

/** Where the caller is: as their address tells, else where the edition is offered; null = unknown. */
export function regionOf(
  ip: string,
  { edition, regions }: { edition: Edition; regions: IpRegions },
): string | null {
  return regions.regionOf(ip) ?? (edition === "mainland" ? "CN" : null);
}
