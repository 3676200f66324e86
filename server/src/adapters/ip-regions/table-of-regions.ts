// Regions from the table that comes along: who holds which addresses, as the five registries tell (docs/decisions/0058).
import { readFile } from "node:fs/promises";
import { type CountryResponse, Reader } from "mmdb-lib";
import type { IpRegions } from "../../ports/ip-regions.ts";

/** Reads the table into memory, 8 MB. Rejects where the package is not there. */
export async function openTableOfRegions(): Promise<IpRegions> {
  const file = import.meta.resolve("@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb");
  const table = new Reader<CountryResponse>(await readFile(new URL(file)));
  return {
    regionOf(ip) {
      // How a socket of both families writes an address of the older one; the zone of a link is none of the table's.
      const plain = ip.replace(/^::ffff:(?=[\d.]+$)/iu, "").replace(/%.*$/u, "");
      // Flatter than the tables that the library's types are of.
      const row = table.get(plain) as { country_code?: string } | null;
      const region = row?.country_code ?? "";
      return /^[A-Z]{2}$/u.test(region) ? region : null;
    },
  };
}
