// Regions as ISO 3166-1 alpha-2. Addresses are not looked up: everyone has the edition's region.
import type { Edition } from "@plumb/protocol/rules/edition-rules";

/** Null = unknown. */
export function editionRegion(edition: Edition): string | null {
  return edition === "mainland" ? "CN" : null;
}

/** Regions that need the cookie banner: Great Britain, the United States and the member states of the EU. */
export const COOKIE_BANNER_REGIONS: readonly string[] =
  "GB US AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");
