import { expect, test } from "vitest";
import { maskEmail, maskMobile } from "./masks.ts";

test.each([
  ["abcdefz@x.com", "ab*****z@x.com"],
  ["abcd@x.com", "ab*****d@x.com"],
  ["abc@x.com", "a*****@x.com"],
  ["a@x.com", "a*****@x.com"],
])("[PLAT-011] masks %s as %s", (email, masked) => {
  expect(maskEmail(email)).toBe(masked);
});

test("[PLAT-012] masks a phone number but for its first three and last four digits", () => {
  expect(maskMobile("13812345678")).toBe("138****5678");
});
