// The phone number of a request (wire-contract.md §7, "Phone").
import { isPhone, isServedAreaCode } from "@plumb/protocol/rules/sign-in-rules";
import type { RefusalCode } from "@plumb/protocol/wire/call";
import { Refusal } from "../../platform/refusal.ts";

interface GivenNumber {
  area_code: string | null;
  mobile_number: string;
}

/** Its 11 digits; throws `refusal`, the call's own, for what is no mainland number. */
export function readMobile({ area_code, mobile_number }: GivenNumber, refusal: RefusalCode): string {
  const mobile = mobile_number.trim();
  if (!isPhone(mobile) || !isServedAreaCode(area_code)) throw new Refusal(refusal);
  return mobile;
}
