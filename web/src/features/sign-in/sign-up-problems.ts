// What is wrong with a sign-up before it is sent (requirements 0§5). Pure.
import {
  isEmail,
  isVerificationCode,
  newPasswordProblem,
  normaliseEmail,
  type PasswordProblem,
} from "@plumb/protocol/rules/sign-in-rules";
import type { TextKey } from "../../i18n/i18n.ts";

export interface SignUpInput {
  email: string;
  code: string;
  password: string;
  confirmation: string;
  consent: boolean;
}

export type SignUpProblems = Partial<Record<keyof SignUpInput, TextKey>>;

const passwordTexts: Record<PasswordProblem, TextKey> = {
  empty: "form.passwordEmpty",
  characters: "form.passwordCharacters",
  length: "form.passwordLength",
};

/** The problem of an email address, or undefined. */
export function emailProblem(email: string): TextKey | undefined {
  const address = normaliseEmail(email);
  if (address === "") return "form.emailEmpty";
  return isEmail(address) ? undefined : "form.emailInvalid";
}

/** The problem of each field; an empty object when all is well. */
export function signUpProblems(input: SignUpInput): SignUpProblems {
  const problems: SignUpProblems = {};
  const email = emailProblem(input.email);
  if (email !== undefined) problems.email = email;
  if (input.code === "") problems.code = "form.codeEmpty";
  else if (!isVerificationCode(input.code)) problems.code = "form.codeInvalid";
  const password = newPasswordProblem(input.password);
  if (password !== null) problems.password = passwordTexts[password];
  if (input.confirmation === "") problems.confirmation = "form.confirmationEmpty";
  else if (input.confirmation !== input.password) problems.confirmation = "form.confirmationDiffers";
  if (!input.consent) problems.consent = "form.consentMissing";
  return problems;
}
