import { keepPhoneDigits } from "@plumb/protocol/rules/sign-in-rules";

/** What of a typed identifier stands in a field that takes only the one or the other, also when it was not typed to its end. */
export function typedFor(field: "email" | "mobile", typed: string): string {
  const isNumber = /^[\d\s()+-]*$/u.test(typed.normalize("NFKC"));
  if (field === "email") return isNumber ? "" : typed;
  return isNumber ? keepPhoneDigits(typed) : "";
}
