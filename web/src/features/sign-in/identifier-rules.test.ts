import { expect, test } from "vitest";
import { identifierRules } from "./identifier-rules.ts";

test("a server without phones asks for an email, and takes nothing else [AUTH-039] [AUTH-040]", () => {
  for (const methods of [[], ["email_password"], ["email_password", "google"]] as const) {
    const { label, problem } = identifierRules(methods);
    expect(label).toBe("form.email");
    expect(["", "13812345678", "ann@", " Ann@Example.com "].map(problem)).toEqual([
      "form.emailEmpty",
      "form.emailInvalid",
      "form.emailInvalid",
      undefined,
    ]);
  }
});

test("one with phones asks for either [AUTH-041] [AUTH-042]", () => {
  const { label, problem } = identifierRules(["email_password", "mobile_password"]);
  expect(label).toBe("form.identifier");
  expect(["", "1381234567", "ann@", "13812345678", "ann@example.com"].map(problem)).toEqual([
    "form.identifierEmpty",
    "form.identifierInvalid",
    "form.identifierInvalid",
    undefined,
    undefined,
  ]);
});
