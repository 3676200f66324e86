import { describe, expect, it } from "vitest";
import baseEn from "../../i18n/en_US.json";
import codesEn from "../../i18n/codes.en_US.json";
import formsEn from "../../i18n/forms.en_US.json";
import type { FormResult } from "./sign-in-failures.ts";
import { sha256Ascii } from "../guard/sha256.ts";
import { emptyDisk } from "../testing/fake-browser.ts";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, type Page } from "../testing/open-page.ts";

const LOGIN = "/api/v0/users/login";
const REGISTER = "/api/v0/users/register";
const REGISTER_MOBILE = "/api/v0/users/register_by_mobile";
const SMS_LOGIN = "/api/v0/users/login_by_mobile_sms";
const CODE = "/api/v0/users/create_email_verification_code";
const SMS_CODE = "/api/v0/users/create_sms_verification_code";
const CHECK = "/api/v0/users/check_email_code";
const CHECK_SMS = "/api/v0/users/check_sms_code";
const RESET = "/api/v0/users/email_reset_password";
const RESET_MOBILE = "/api/v0/users/mobile_reset_password";
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
      ? ({ ...baseEn, ...codesEn, ...formsEn } as Record<string, string>)[result.text.key]
      : result.text.content;
  const code = "key" in result.text ? result.text.params?.["code"] : undefined;
  return [result.field, typeof code === "number" ? words?.replace("{{code}}", `${code}`) : words];
}

const SUSPENDED = "As a result of violations, your account has been temporarily suspended.";
const ENVIRONMENT = "Current device environment error. Please try a different environment.";
const DOMAIN =
  "Error sending code. Email domain not supported. Please use a global email service like Gmail, Outlook, or Yahoo.";
const MAIL = "Sorry! We're having trouble sending you an email right now. Please try again later.";

const ONE_A_MINUTE = "Only one verification code can be sent within one minute.";
const SENDING =
  "Sorry! We're having trouble sending you a verification code right now. Please try again later.";
const PHONE = "Please enter a valid phone number.";
const MAINLAND = "Currently, Phone registration is only open to users in Mainland China.";
const EXPIRED = "The code has expired. Please try again.";
const WRONG = "Invalid code. Please try again.";
const INVITATION =
  "This invitation cannot be used with this email address: it is for another one, was used, has ended, or its link is incomplete.";

/** What is too long for the server; a proxy in front of it says so without an envelope. */
const tooLong = () => globalError(41300, "BODY_TOO_LARGE", 413);
const tooLongForProxy = () => new Response("<html>", { status: 413 });

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
  ["too long", tooLong, null, "Login failed. (B41300)"],
  ["too long for a proxy", tooLongForProxy, null, "Login failed. (B413)"],
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
  ["[AUTH-089] 4", () => refused(4, "EMAIL_DOMAIN_NOT_WHITELISTED"), null, DOMAIN],
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
  [
    "13",
    () => refused(13, "PASSWORD_TOO_COMMON"),
    "password",
    "This password is one of the first that are guessed. Please choose another one.",
  ],
  ["5", () => refused(5, "REGISTRATION_CLOSED"), null, "Sign up is closed on this server."],
  [
    "[AUTH-110] 6",
    () => refused(6, "FROM_MAINLAND"),
    null,
    "Sign up by email is not available in your region. Please use your phone number.",
  ],
  ["[AUTH-111] 7", () => refused(7, "CODE_EXPIRED"), "code", "The code has expired. Please try again."],
  ["[AUTH-112] 8", () => refused(8, "PASSCODE_FAILED"), "code", "Invalid code. Please try again."],
  ["[AUTH-113] 9", () => refused(9, "EMAIL_DOMAIN_NOT_SUPPORTED"), null, DOMAIN],
  ["10", () => refused(10, "INVITATION_INVALID"), null, INVITATION],
  ["too long", tooLong, null, "Sign up failed. (B41300)"],
  ["[AUTH-114] [ERR-015] any other", () => refused(77, "NEW"), null, "Sign up failed. (B77)"],
];

const smsCodes: Row[] = [
  ["[AUTH-079] 1", () => refused(1, "SMS_SEND_TOO_FREQUENT"), null, ONE_A_MINUTE],
  ["[AUTH-080] 2", () => refused(2, "CAPTCHA_FAILED"), null, ENVIRONMENT],
  ["[AUTH-081] 3", () => refused(3, "NO_MOBILE_NUMBER"), "mobile", "Please enter your phone number."],
  ["12", () => refused(12, "INVALID_MOBILE_NUMBER"), "mobile", PHONE],
  [
    "[AUTH-082] 99",
    () => refused(99, "SMS_CLOUD_ERROR"),
    null,
    "Sorry! We're having trouble sending you a message right now. Please try again later.",
  ],
  ["[AUTH-083] any other", () => refused(77, "NEW"), null, `${SENDING} (B77)`],
  ["[AUTH-083] without an answer", () => new Response("<html>"), null, SENDING],
];

const smsLogins: Row[] = [
  ["3", () => refused(3, "USER_IS_BANNED"), null, SUSPENDED],
  ["5", () => refused(5, "REGISTRATION_CLOSED"), null, "Sign up is closed on this server."],
  ["[AUTH-102] 6", () => refused(6, "ONLY_MAINLAND"), null, MAINLAND],
  ["[AUTH-103] 7", () => refused(7, "CODE_EXPIRED"), "code", EXPIRED],
  ["[AUTH-104] 8", () => refused(8, "CODE_WRONG"), "code", WRONG],
  ["[AUTH-105] 9", () => refused(9, "INTERNAL_ERROR"), null, "Login failed."],
  ["12", () => refused(12, "INVALID_MOBILE_NUMBER"), "mobile", PHONE],
  ["[AUTH-105] 99", () => refused(99, "SSO_ERROR"), null, "Login failed."],
  ["too long", tooLong, null, "Login failed. (B41300)"],
  ["any other", () => refused(77, "NEW"), null, "Login failed. (B77)"],
];

const mobileRegisters: Row[] = [
  ["2", () => refused(2, "SMS_CODE_INVALID"), "code", "Code is invalid"],
  ["[AUTH-117] 3", () => refused(3, "MOBILE_ALREADY_REGISTERED"), "mobile", "Phone number is registered."],
  ["[AUTH-118] 4", () => refused(4, "INVALID_PASSWORD"), "password", "Password is invalid."],
  ["5", () => refused(5, "REGISTRATION_CLOSED"), null, "Sign up is closed on this server."],
  ["[AUTH-119] 6", () => refused(6, "ONLY_MAINLAND"), null, MAINLAND],
  ["[AUTH-120] 7", () => refused(7, "CODE_EXPIRED"), "code", EXPIRED],
  ["[AUTH-121] 8", () => refused(8, "CODE_WRONG"), "code", WRONG],
  ["12", () => refused(12, "INVALID_MOBILE_NUMBER"), "mobile", PHONE],
  ["too long", tooLong, null, "Sign up failed. (B41300)"],
  ["[AUTH-114] any other", () => refused(77, "NEW"), null, "Sign up failed. (B77)"],
];

const checks: Row[] = [
  ["[AUTH-122] 2", () => refused(2, "NOT_REGISTERED"), null, "This account is not registered."],
  ["[AUTH-123] 3", () => refused(3, "USER_IS_BANNED"), null, SUSPENDED],
  ["[AUTH-124] 7", () => refused(7, "CODE_EXPIRED"), "code", EXPIRED],
  ["[AUTH-125] 8", () => refused(8, "CODE_WRONG"), "code", WRONG],
  ["12", () => refused(12, "INVALID_MOBILE_NUMBER"), "mobile", PHONE],
  ["too long", tooLong, null, "Verification failed. Please try again. (B41300)"],
  ["[AUTH-126] any other", () => refused(77, "NEW"), null, "Verification failed. Please try again. (B77)"],
];

const resets: Row[] = [
  ["[AUTH-129] 2", () => refused(2, "NOT_REGISTERED"), null, "This account is not registered."],
  ["[AUTH-132] 4", () => refused(4, "INVALID_PASSWORD"), "password", "Password is invalid."],
  [
    "[AUTH-130] 7",
    () => refused(7, "RESET_EXPIRED"),
    null,
    "Password reset failed as the reset time has expired. Please go back and try again.",
  ],
  ["[AUTH-131] 8", () => refused(8, "CODE_WRONG"), null, WRONG],
  ["[AUTH-133] 10", () => refused(10, "USER_IS_BANNED"), null, SUSPENDED],
  ["12", () => refused(12, "INVALID_MOBILE_NUMBER"), null, PHONE],
  ["too long", tooLong, null, "Password reset failed. Please try again. (B41300)"],
  ["[AUTH-134] any other", () => refused(77, "NEW"), null, "Password reset failed. Please try again. (B77)"],
];

const MOBILE = "13812345678";
const code = "123456";

describe("what a refused form says", () => {
  it.each(logins)("login %s", async (_title, answer, field, words) => {
    const act = (page: Page) => page.engine.accounts.signIn({ identifier: "a@b.co", password: "x" });
    expect(await told(LOGIN, answer, act)).toEqual([field, words]);
  });

  const send = (target: string) => (page: Page) =>
    page.engine.accounts.sendCode({ target, scenario: "register", timer: "email" });
  it.each(codes)("a code by mail %s", async (_title, answer, field, words) => {
    expect(await told(CODE, answer, send("a@b.co"))).toEqual([field, words]);
  });
  it.each(smsCodes)("a code by text message %s", async (_title, answer, field, words) => {
    expect(await told(SMS_CODE, answer, send(MOBILE))).toEqual([field, words]);
  });

  it.each(registers)("sign-up %s", async (_title, answer, field, words) => {
    const act = (page: Page) =>
      page.engine.accounts.signUp({ email: "a@b.co", password: "12345678", code, invitation: null });
    expect(await told(REGISTER, answer, act)).toEqual([field, words]);
  });
  it.each(mobileRegisters)("sign-up by phone %s", async (_title, answer, field, words) => {
    const act = (page: Page) =>
      page.engine.accounts.signUpByPhone({ mobile: MOBILE, password: "12345678", code });
    expect(await told(REGISTER_MOBILE, answer, act)).toEqual([field, words]);
  });
  it.each(smsLogins)("login by a code %s", async (_title, answer, field, words) => {
    const act = (page: Page) => page.engine.accounts.signInByCode({ mobile: MOBILE, code });
    expect(await told(SMS_LOGIN, answer, act)).toEqual([field, words]);
  });

  describe.each([
    ["a@b.co", CHECK, RESET],
    [MOBILE, CHECK_SMS, RESET_MOBILE],
  ])("of %s", (target, check, reset) => {
    it.each(checks)("a checked code %s", async (_title, answer, field, words) => {
      const act = (page: Page) => page.engine.accounts.checkCode({ target, code });
      expect(await told(check, answer, act)).toEqual([field, words]);
    });
    it.each(resets)("a reset %s", async (_title, answer, field, words) => {
      const act = (page: Page) =>
        page.engine.accounts.resetPassword({ target, code, password: "12345678", unbind: [] });
      expect(await told(reset, answer, act)).toEqual([field, words]);
    });
  });
});
