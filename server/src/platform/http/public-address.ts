// Which addresses belong to the public internet (IANA's registries of special-purpose addresses). Everything else is this
// machine, its network or its provider's: nothing that a stranger names may be asked for there.
import { BlockList, isIPv4, isIPv6 } from "node:net";

const notPublicV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  // A metadata service of a cloud, on an address that looks public.
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/**
 * Of the addresses that are given to the public. Outside of them lie loopback, link-local, private and mapped ones, and
 * those that carry an IPv4 address through NAT64.
 */
const publicV6 = "2000::/3";
const notPublicV6 = [
  // Teredo, ORCHID, benchmarking and other protocols.
  "2001::/23",
  "2001:db8::/32",
  // 6to4: carries an IPv4 address.
  "2002::/16",
  "2620:4f:8000::/48",
  "3fff::/20",
];

const v4 = listOf(notPublicV4, "ipv4");
const v6 = listOf([publicV6], "ipv6");
const exceptV6 = listOf(notPublicV6, "ipv6");

/** True for an address of the public internet. `address` is one as resolvers write it, without brackets. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !v4.check(address, "ipv4");
  // With a zone it names an interface of this machine.
  if (!isIPv6(address) || address.includes("%")) return false;
  return v6.check(address, "ipv6") && !exceptV6.check(address, "ipv6");
}

function listOf(subnets: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = "", prefix = ""] = subnet.split("/");
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
