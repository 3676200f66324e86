// What is wrong with a field before a form is sent (requirements 0§5). Pure.
import {
  identifierKind,
  isEmail,
  isPhone,
  isVerificationCode,
  newPasswordProblem,
  normaliseEmail,
  type PasswordProblem,
} from "@plumb/protocol/rules/sign-in-rules";
import type { TextKey } from "../../i18n/i18n.ts";

const passwordTexts: Record<PasswordProblem, TextKey> = {
  empty: "form.passwordEmpty",
  characters: "form.passwordCharacters",
  length: "form.passwordLength",
};

/** The problem of what each field holds, or undefined. */
export const problemOf = {
  email(typed: string): TextKey | undefined {
    const address = normaliseEmail(typed);
    if (address === "") return "form.emailEmpty";
    return isEmail(address) ? undefined : "form.emailInvalid";
  },
  mobile(typed: string): TextKey | undefined {
    if (typed === "") return "phoneEmpty";
    return isPhone(typed) ? undefined : "phoneInvalid";
  },
  identifier(typed: string): TextKey | undefined {
    const kind = identifierKind(typed);
    if (kind === "email" || kind === "phone") return undefined;
    return kind === "empty" ? "form.identifierEmpty" : "form.identifierInvalid";
  },
  code(typed: string): TextKey | undefined {
    if (typed === "") return "form.codeEmpty";
    return isVerificationCode(typed) ? undefined : "form.codeInvalid";
  },
  password(typed: string): TextKey | undefined {
    const problem = newPasswordProblem(typed);
    return problem === null ? undefined : passwordTexts[problem];
  },
  consent(given: boolean): TextKey | undefined {
    return given ? undefined : "form.consentMissing";
  },
  confirmation(typed: string, password: string): TextKey | undefined {
    if (typed === "") return "form.confirmationEmpty";
    return typed === password ? undefined : "form.confirmationDiffers";
  },
};

/** Those fields that have a problem, with its text. */
export function problemsAmong<F extends string>(
  fields: Readonly<Record<F, TextKey | undefined>>,
): Partial<Record<F, TextKey>> {
  const entries = Object.entries(fields).filter(([, text]) => text !== undefined);
  return Object.fromEntries(entries) as Partial<Record<F, TextKey>>;
}
