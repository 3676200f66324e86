import type { SignInMethod } from "@plumb/protocol/rules/edition-rules";
import { identifierKind } from "@plumb/protocol/rules/sign-in-rules";
import type { TextKey } from "../../i18n/i18n.ts";

/** What the first field of sign-in by password asks for, and its error where that is missing or malformed. */
interface IdentifierRules {
  label: TextKey;
  problem(typed: string): TextKey | undefined;
}

const byEmail: IdentifierRules = {
  label: "form.email",
  problem(typed) {
    const kind = identifierKind(typed);
    if (kind === "email") return undefined;
    return kind === "empty" ? "form.emailEmpty" : "form.emailInvalid";
  },
};

const byEmailOrPhone: IdentifierRules = {
  label: "form.identifier",
  problem(typed) {
    const kind = identifierKind(typed);
    if (kind === "email" || kind === "phone") return undefined;
    return kind === "empty" ? "form.identifierEmpty" : "form.identifierInvalid";
  },
};

/** By what the server offers (wire-contract.md §6.1 sign_in.methods); an email as long as that is not known. */
export function identifierRules(methods: readonly SignInMethod[]): IdentifierRules {
  return methods.includes("mobile_password") ? byEmailOrPhone : byEmail;
}
