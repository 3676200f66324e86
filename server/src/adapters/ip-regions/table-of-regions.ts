// Regions from the table that comes along: who holds which addresses, as the five registries tell (docs/decisions/0058).
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Reader } from "mmdb-lib";
import type { IpRegions } from "../../ports/ip-regions.ts";

const TABLE = "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb";

/** Reads the table into memory, 8 MB. Rejects where the package is not there. */
export async function openTableOfRegions(): Promise<IpRegions> {
  const table = new Reader<{ country_code: string }>(
    await readFile(createRequire(import.meta.url).resolve(TABLE)),
  );
  return {
    regionOf(ip) {
      // How a socket of both families writes an address of the older one; the zone of a link is none of the table's.
      const plain = ip.replace(/^::ffff:(?=[\d.]+$)/iu, "").replace(/%.*$/u, "");
      const region = table.get(plain)?.country_code ?? "";
      return /^[A-Z]{2}$/u.test(region) ? region : null;
    },
  };
}
