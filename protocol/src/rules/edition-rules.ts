// What the two editions of the product offer, and the languages of both.

export type Edition = "mainland" | "international";
export type Locale = "zh_CN" | "en_US";
export type SignInMethod = "email_password" | "mobile_password" | "sms_code" | "google" | "wechat";
export type SignUpMethod = "email" | "mobile";

export const LOCALES = ["zh_CN", "en_US"] as const satisfies readonly Locale[];

interface EditionRules {
  defaultLocale: Locale;
  /** Ways to sign in that the edition shows by itself. */
  signIn: readonly SignInMethod[];
  /** Ways to sign up that the edition shows by itself. */
  signUp: readonly SignUpMethod[];
}

const RULES: Record<Edition, EditionRules> = {
  mainland: {
    defaultLocale: "zh_CN",
    signIn: ["sms_code", "mobile_password", "email_password"],
    signUp: ["mobile"],
  },
  international: {
    defaultLocale: "en_US",
    signIn: ["email_password", "mobile_password"],
    signUp: ["email"],
  },
};

/** The rules of one edition. In both, a password works with email and with phone (wire-contract.md §8.1). */
export function editionRules(edition: Edition): EditionRules {
  return RULES[edition];
}

/** The language of a request without a usable one (wire-contract.md §1.2). */
export function defaultLocale(edition: Edition): Locale {
  return RULES[edition].defaultLocale;
}
