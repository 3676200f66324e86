// Regions as ISO 3166-1 alpha-2. Without a look-up of addresses the edition's region holds for everyone.
import type { Edition } from "@plumb/protocol/rules/edition-rules";

/** The region of a caller whose address tells nothing; null = unknown. */
export function editionRegion(edition: Edition): string | null {
  return edition === "mainland" ? "CN" : null;
}

/** Where the cookie banner is asked for: Great Britain, the United States and the member states of the EU. */
export const COOKIE_BANNER_REGIONS: readonly string[] =
  "GB US AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");
