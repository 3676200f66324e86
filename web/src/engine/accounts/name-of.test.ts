import type { User } from "@plumb/protocol/wire/accounts";
import { expect, test } from "vitest";
import { nameOf } from "./name-of.ts";

test.each([
  [{ id_profile: { name: "Wei" }, email: "ab*****c@d.e" }, "Wei"],
  [{ id_profile: { name: "" }, email: "ab*****c@d.e", mobile_number: "138****5678" }, "ab*****c@d.e"],
  [{ id_profile: { name: "" }, email: "", mobile_number: "138****5678" }, "138****5678"],
  [{ id_profile: null, email: "ab*****c@d.e" }, "ab*****c@d.e"],
  [{ id_profile: { name: "" }, email: "", mobile_number: "" }, ""],
  [null, ""],
])("%j is called %j", (user, name) => {
  expect(nameOf(user as User | null)).toBe(name);
});
