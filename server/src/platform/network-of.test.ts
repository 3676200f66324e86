import { expect, test } from "vitest";
import { networkOf, siteOf } from "./network-of.ts";

test.each([
  ["192.0.2.1", "192.0.2.1", null],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:0DB8:0001:2::9", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:db8::1", "2001:db8:0:0::/64", "2001:db8:0::/48"],
  ["::1", "0:0:0:0::/64", "0:0:0::/48"],
  ["::", "0:0:0:0::/64", "0:0:0::/48"],
  ["fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0::/48"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64", "64:ff9b:0::/48"],
])("%s counts as %s and as %s", (ip, network, site) => {
  expect([networkOf(ip), siteOf(ip)]).toEqual([network, site]);
});
