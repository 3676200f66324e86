import { expect, test } from "vitest";
import { openTableOfRegions } from "./table-of-regions.ts";

const regions = await openTableOfRegions();

test.each([
  ["114.114.114.114", "CN"],
  ["::ffff:114.114.114.114", "CN"],
  ["240e::1", "CN"],
  ["8.8.8.8", "US"],
  ["2001:4860:4860::8888", "US"],
  ["195.135.221.134", "DE"],
  ["127.0.0.1", null],
  ["10.1.2.3", null],
  ["::1", null],
  ["fe80::1%eth0", null],
])("%s is in %s", (ip, region) => {
  expect(regions.regionOf(ip)).toBe(region);
});
