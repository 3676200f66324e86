// Whom a limit per address counts: an IPv6 customer has a whole /64 to choose from, and often a /48.
import { isIPv6 } from "node:net";

/** An IPv4 address itself, or the /64 of an IPv6 address. */
export function networkOf(ip: string): string {
  return isIPv6(ip) ? prefixOf(ip, 4) : ip;
}

/** The /48 of an IPv6 address, the usual size of one customer's site. Null for an IPv4 address. */
export function siteOf(ip: string): string | null {
  return isIPv6(ip) ? prefixOf(ip, 3) : null;
}

/** The first 16-bit groups of an IPv6 address, without leading zeros. */
function prefixOf(ip: string, length: number): string {
  // A dotted tail stands for the last two groups, which do not count here but for their number.
  const [head = "", tail] = ip
    .replace(/%.*$/, "")
    .replace(/[\d.]+\.[\d.]+$/, "0:0")
    .toLowerCase()
    .split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const last = tail === "" ? [] : tail.split(":");
    while (groups.length + last.length < 8) groups.push("0");
    groups.push(...last);
  }
  const prefix = groups.slice(0, length).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(":")}::/${length * 16}`;
}
