import { expect, test } from "vitest";
import accountEn from "./account.en_US.json";
import accountZh from "./account.zh_CN.json";
import baseEn from "./en_US.json";
import codesEn from "./codes.en_US.json";
import codesZh from "./codes.zh_CN.json";
import formsEn from "./forms.en_US.json";
import formsZh from "./forms.zh_CN.json";
import baseZh from "./zh_CN.json";

const en = { ...baseEn, ...accountEn, ...codesEn, ...formsEn };
const zh = { ...baseZh, ...accountZh, ...codesZh, ...formsZh };

// The words the product was asked for, by the key under which the screen says them.
test.each<[title: string, key: keyof typeof en, words: string]>([
  ["a phone that is not verified [ERR-011]", "mobileNotVerified", "Please verify your phone number."],
  ["the network [ERR-016]", "networkError", "Network error"],
  ["too many requests [ERR-017]", "tooManyRequests", "Too many requests. Please try again later."],
  ["a failed delete [ERR-018]", "deleteFailed", "Delete failed"],
  ["a failed copy [ERR-019]", "common.copyFailed", "Copy failed"],
  [
    "a withdrawn message [ERR-020]",
    "contentFiltered",
    "The message was withdrawn for content security reasons.",
  ],
  ["a busy server [ERR-021]", "serverBusy", "Server busy, please try again later."],
  ["a server that is away [ERR-022]", "serverUnavailable", "Server is temporarily unavailable."],
  [
    "invalid Unicode [ERR-024]",
    "invalidUnicode",
    "The message contains invalid characters. Please modify it and resend.",
  ],
  [
    "the model's own limit [ERR-025]",
    "sendingTooFrequently",
    "You are sending messages too frequently. Please wait a moment before sending again.",
  ],
  ["the limit of a day [ERR-027]", "rpdRateLimitReached", "RPD rate limit reached"],
  ["replies at once [ERR-028]", "tooManyConcurrentRequests", "Too many concurrent requests"],
  ["a deleted chat [ERR-029]", "chatDeleted", "This chat has been deleted."],
  ["an unknown chat [ERR-030]", "chatNotFound", "Chat not found."],
  ["a wrong parent [ERR-031]", "unexpectedRequest1", "Unexpected request (1)"],
  ["a wrong message [ERR-031]", "unexpectedRequest2", "Unexpected request (2)"],
  ["a wrong request [ERR-031]", "unexpectedRequest3", "Unexpected request (3)"],
  [
    "somebody else answering [ERR-032]",
    "protocolViolation",
    "Network restricted: the connection returned unexpected data.",
  ],
  ["the phrase that deletes an account [ACCT-035]", "account.deletePhrase", "DELETE MY ACCOUNT"],
  [
    "accounts deleted too often [ACCT-039]",
    "deleteAccountTooFrequent",
    "Account deletion failed. Frequent deletion attempts detected. Please try again later.",
  ],
  ["an account that was not deleted [ACCT-041]", "deleteAccountFailed", "Failed to delete account."],
  [
    "somebody too young [ACCT-047]",
    "ageGateRejectText",
    "You do not meet the minimum age requirement to use this product",
  ],
  ["no email [AUTH-039]", "form.emailEmpty", "Please enter your email address."],
  ["a wrong email [AUTH-040]", "form.emailInvalid", "Email is invalid."],
  ["no identifier [AUTH-041]", "form.identifierEmpty", "Please enter the phone number / email address."],
  [
    "a wrong identifier [AUTH-042]",
    "form.identifierInvalid",
    "Please enter a valid phone number / email address.",
  ],
  ["no password [AUTH-046]", "form.passwordEmpty", "Please enter your password."],
  ["no confirmation [AUTH-047]", "form.confirmationEmpty", "Please re-enter your password for confirmation."],
  ["another confirmation [AUTH-048]", "form.confirmationDiffers", "Password doesn't match."],
  ["characters [AUTH-044]", "form.passwordCharacters", "Password contains invalid characters."],
  ["length [AUTH-045]", "form.passwordLength", "Password must be between 8 and 50 characters."],
  ["no code [AUTH-051]", "form.codeEmpty", "Please enter the verification code."],
  ["a malformed code [AUTH-050]", "form.codeInvalid", "Code is invalid"],
  ["no consent [AUTH-025]", "form.consentMissing", "Please check the checkbox to continue."],
])("%s has its words, in Chinese too", (_title, key, words) => {
  expect(en[key]).toBe(words);
  expect(zh[key]).toMatch(/\p{Script=Han}/u);
});
