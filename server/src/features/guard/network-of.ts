// Whom a limit per address counts: an IPv6 customer has a whole /64 to choose from.
import { isIPv6 } from "node:net";

/** The address itself, or the first four groups of an IPv6 one. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip;
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
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
