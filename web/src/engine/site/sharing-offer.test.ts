import type { ClientSettings } from "@plumb/protocol/wire/site";
import { expect, test } from "vitest";
import { isSharingOffered } from "./sharing-offer.ts";

const settings = (flag: unknown, byLink: unknown) =>
  ({ flags: { enableShare: flag }, ab_tests: { share_by_link: byLink } }) as unknown as ClientSettings;

test.each<[string, ClientSettings | null, number | null, boolean]>([
  ["both switches are on", settings(true, true), null, true],
  // The setting of an edition, too: an installation is of one edition.
  ["the flag is off [SHARE-004]", settings(false, true), null, false],
  ["the test is off", settings(true, false), null, false],
  ["neither is known", settings(undefined, undefined), null, false],
  ["the settings have not come", null, null, false],
  ["the user is muted [SHARE-005] [ACCT-056]", settings(true, true), 1_790_000_100, false],
])("sharing where %s [SHARE-003]", (_case, given, mutedUntil, offered) => {
  expect(isSharingOffered(given, mutedUntil)).toBe(offered);
});
