import { describe, expect, it } from "vitest";
import baseEn from "../../i18n/en_US.json";
import formsEn from "../../i18n/forms.en_US.json";
import type { FormResult } from "./sign-in-failures.ts";
import { sha256Ascii } from "../guard/sha256.ts";
import { emptyDisk } from "../testing/fake-browser.ts";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, type Page } from "../testing/open-page.ts";

const LOGIN = "/api/v0/users/login";
const REGISTER = "/api/v0/users/register";
const CODE = "/api/v0/users/create_email_verification_code";
const GUEST = "/api/v0/users/create_guest_challenge";

const challenge = {
  algorithm: "SHA-256",
  challenge: sha256Ascii("salt_1800000000000_1"),
  salt: "salt",
  signature: "",
  difficulty: 3,
  expire_at: 1_800_000_000_000,
  expire_after: 300_000,
  target_path: "",
};

/** What the form shows for an answer: the field it belongs to and the words. */
async function told(path: string, answer: () => Response, act: (page: Page) => Promise<FormResult>) {
  const server = createFakeServer();
  server.answer(GUEST, () => ok({ guest_challenge: challenge }));
  server.answer(path, answer);
  const page = await openPage(server, emptyDisk());
  const result = await act(page);
  page.close();
  if (result.ok) throw new Error("the call was not refused");
  const words =
    "key" in result.text
      ? ({ ...baseEn, ...formsEn } as Record<string, string>)[result.text.key]
      : result.text.content;
  const code = "key" in result.text ? result.text.params?.["code"] : undefined;
  return [result.field, typeof code === "number" ? words?.replace("{{code}}", `${code}`) : words];
}

const SUSPENDED = "As a result of violations, your account has been temporarily suspended.";
const ENVIRONMENT = "Current device environment error. Please try a different environment.";
const DOMAIN =
  "Error sending code. Email domain not supported. Please use a global email service like Gmail, Outlook, or Yahoo.";
const MAIL = "Sorry! We're having trouble sending you an email right now. Please try again later.";

type Row = [title: string, answer: () => Response, field: string | null, words: string];

const logins: Row[] = [
  [
    "[AUTH-095] 2",
    () => refused(2, "PASSWORD_OR_USER_NAME_IS_WRONG"),
    null,
    "Your password is incorrect or this account doesn't exist. Please check and try again",
  ],
  ["[AUTH-096] [ERR-013] 10", () => refused(10, "USER_IS_BANNED"), null, SUSPENDED],
  ["11", () => refused(11, "RISK_DEVICE_DETECTED"), null, ENVIRONMENT],
  ["[AUTH-097] [ERR-015] any other", () => refused(77, "NEW"), null, "Login failed. (B77)"],
];

const codes: Row[] = [
  [
    "[AUTH-086] 1",
    () => refused(1, "EMAIL_SEND_TOO_FREQUENT"),
    null,
    "Only one verification code can be sent within one minute.",
  ],
  ["2", () => refused(2, "CAPTCHA_FAILED"), null, ENVIRONMENT],
  ["[AUTH-088] 3", () => refused(3, "INVALID_EMAIL_FORMAT"), "email", "Email is invalid."],
  ["4", () => refused(4, "EMAIL_DOMAIN_NOT_WHITELISTED"), null, DOMAIN],
  ["[AUTH-090] 99", () => refused(99, "EMAIL_CLOUD_ERROR"), null, MAIL],
  ["[AUTH-091] [ERR-015] any other", () => refused(77, "NEW"), null, `${MAIL} (B77)`],
  [
    "[ERR-008] too many of one address",
    () => globalError(40029, "IP_ACCESS_RESTRICTED", 429),
    null,
    "Too many requests. Please try again later.",
  ],
];

const registers: Row[] = [
  ["[AUTH-107] 1", () => refused(1, "EMAIL_EXISTS"), "email", "Email is already registered."],
  ["[AUTH-108] 2", () => refused(2, "EMAIL_CODE_INVALID"), "code", "Code is invalid"],
  ["3", () => refused(3, "INVALID_EMAIL_FORMAT"), "email", "Email is invalid."],
  ["[AUTH-109] 4", () => refused(4, "INVALID_PASSWORD"), "password", "Password is invalid."],
  ["5", () => refused(5, "REGISTRATION_CLOSED"), null, "Sign up is closed on this server."],
  [
    "[AUTH-110] 6",
    () => refused(6, "FROM_MAINLAND"),
    null,
    "Sign up by email is not available in your region. Please use your phone number.",
  ],
  ["[AUTH-111] 7", () => refused(7, "CODE_EXPIRED"), "code", "The code has expired. Please try again."],
  ["[AUTH-112] 8", () => refused(8, "PASSCODE_FAILED"), "code", "Invalid code. Please try again."],
  ["9", () => refused(9, "EMAIL_DOMAIN_NOT_SUPPORTED"), null, DOMAIN],
  ["[ERR-015] any other", () => refused(77, "NEW"), null, "Sign up failed. (B77)"],
];

describe("what a refused form says", () => {
  it.each(logins)("login %s", async (_title, answer, field, words) => {
    const act = (page: Page) => page.engine.accounts.signIn({ identifier: "a@b.co", password: "x" });
    expect(await told(LOGIN, answer, act)).toEqual([field, words]);
  });

  it.each(codes)("a code %s", async (_title, answer, field, words) => {
    const act = (page: Page) => page.engine.accounts.sendEmailCode({ email: "a@b.co", scenario: "register" });
    expect(await told(CODE, answer, act)).toEqual([field, words]);
  });

  it.each(registers)("sign-up %s", async (_title, answer, field, words) => {
    const act = (page: Page) =>
      page.engine.accounts.signUp({ email: "a@b.co", password: "12345678", code: "123456" });
    expect(await told(REGISTER, answer, act)).toEqual([field, words]);
  });
});
