import { expect, test } from "vitest";
import { signUpProblems, type SignUpInput, type SignUpProblems } from "./sign-up-problems.ts";

const good: SignUpInput = {
  email: " Ann@Example.com ",
  code: "012345",
  password: "correct horse",
  confirmation: "correct horse",
  consent: true,
};

test.each<[string, Partial<SignUpInput>, SignUpProblems]>([
  ["all is well", {}, {}],
  ["an empty email [AUTH-039]", { email: " " }, { email: "form.emailEmpty" }],
  ["no email", { email: "ann@" }, { email: "form.emailInvalid" }],
  ["an empty code [AUTH-051]", { code: "" }, { code: "form.codeEmpty" }],
  ["a code of five digits", { code: "12345" }, { code: "form.codeInvalid" }],
  [
    "an empty password [AUTH-046]",
    { password: "" },
    { password: "form.passwordEmpty", confirmation: "form.confirmationDiffers" },
  ],
  ["a short password", { password: "1234567", confirmation: "1234567" }, { password: "form.passwordLength" }],
  [
    "a password beyond ASCII",
    { password: "密码密码密码密码", confirmation: "密码密码密码密码" },
    { password: "form.passwordCharacters" },
  ],
  ["no confirmation [AUTH-047]", { confirmation: "" }, { confirmation: "form.confirmationEmpty" }],
  [
    "another confirmation [AUTH-048]",
    { confirmation: "correct" },
    { confirmation: "form.confirmationDiffers" },
  ],
  ["no consent [AUTH-025]", { consent: false }, { consent: "form.consentMissing" }],
])("%s", (_title, change, problems) => {
  expect(signUpProblems({ ...good, ...change })).toEqual(problems);
});
