// Phone, email, password and code: shown by the browser, enforced by the server (wire-contract.md §7).
import { LIMITS } from "../limits.ts";
import { hasAtMost } from "./code-points.ts";

/** A mainland phone number: 11 digits that start with 1. */
export function isPhone(value: string): boolean {
  return /^1\d{10}$/.test(value);
}

/** `+86`, `86`, "" and null all mean +86; anything else is not served. */
export function isServedAreaCode(value: string | null): boolean {
  return value === null || ["", "86", "+86"].includes(value);
}

/** The digits of typed or pasted text, also of those that a Chinese keyboard writes in full width. */
export function keepDigits(typed: string): string {
  return typed.normalize("NFKC").replace(/\D/g, "");
}

/** What is left of typed or pasted text in a phone field: digits, at most 11. A pasted +86 goes: the field shows its own. */
export function keepPhoneDigits(typed: string): string {
  const digits = keepDigits(typed);
  const national = digits.length > LIMITS.phoneDigits ? digits.replace(/^(?:00)?86(?=1)/, "") : digits;
  return national.slice(0, LIMITS.phoneDigits);
}

const LOCAL_PART = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;
const DOMAIN_LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** An address with a dotted domain, of at most 254 characters, without white space around it. */
export function isEmail(value: string): boolean {
  if (!hasAtMost(value, LIMITS.emailChars)) return false;
  const at = value.lastIndexOf("@");
  if (at <= 0) return false;
  const local = value.slice(0, at);
  const labels = value.slice(at + 1).split(".");
  const hasGoodDots = !local.startsWith(".") && !local.endsWith(".") && !local.includes("..");
  return (
    hasGoodDots &&
    LOCAL_PART.test(local) &&
    labels.length >= 2 &&
    labels.every((label) => DOMAIN_LABEL.test(label))
  );
}

/** Emails are compared in lower case. */
export function normaliseEmail(value: string): string {
  return value.trim().toLowerCase();
}

export type PasswordProblem = "empty" | "characters" | "length";

/** Rule for a password to be set: 8 to 50 printable ASCII characters, not all spaces. On sign-in it is only required. */
export function newPasswordProblem(value: string): PasswordProblem | null {
  if (/^ *$/.test(value)) return "empty";
  if (!/^[\x20-\x7e]*$/.test(value)) return "characters";
  return value.length < LIMITS.passwordMinChars || value.length > LIMITS.passwordMaxChars ? "length" : null;
}

/** Exactly 6 ASCII digits. */
export function isVerificationCode(value: string): boolean {
  return /^\d{6}$/.test(value);
}

/** An invitation that is for no particular address begins so: where mail is set the page asks for a code as well. */
export const openInvitationPrefix = "open-";

export type IdentifierKind = "empty" | "email" | "phone" | "invalid";

/** What a sign-in identifier is. With an at-sign it can only be an email. */
export function identifierKind(value: string): IdentifierKind {
  const identifier = value.trim();
  if (identifier === "") return "empty";
  if (identifier.includes("@")) return isEmail(identifier) ? "email" : "invalid";
  return isPhone(identifier) ? "phone" : "invalid";
}
