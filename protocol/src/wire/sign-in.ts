// Signing up and in by email (wire-contract.md §7.5, §8.1, §8.3). Apart from the account's other calls: chats do without.
import * as z from "zod/mini";
import type { SignedIn } from "./accounts.ts";
import { defineCall } from "./call.ts";
import { maybe, textOrEmpty, withDefault } from "./fields.ts";
import { captchaFields, originFields } from "./sign-in-fields.ts";

export interface CodeSent {
  send_window_secs: number;
}

export const EmailCodeRefusal = {
  /** With `send_window_secs`, the seconds left, in biz_data. */
  EmailSendTooFrequent: { code: 1, msg: "EMAIL_SEND_TOO_FREQUENT" },
  CaptchaFailed: { code: 2, msg: "CAPTCHA_FAILED" },
  InvalidEmailFormat: { code: 3, msg: "INVALID_EMAIL_FORMAT" },
  EmailDomainNotWhitelisted: { code: 4, msg: "EMAIL_DOMAIN_NOT_WHITELISTED" },
  EmailCloudError: { code: 99, msg: "EMAIL_CLOUD_ERROR" },
} as const;

/** An absent email is "" and answered by the call's own number 3. */
export const createEmailVerificationCode = defineCall<CodeSent>()({
  method: "POST",
  path: "/api/v0/users/create_email_verification_code",
  auth: "none",
  proof: "guest",
  answers: "account",
  request: z.object({
    email: textOrEmpty,
    scenario: withDefault(z.enum(["register", "reset_password", "bind_email"]), "register"),
    locale: originFields.locale,
    device_id: originFields.device_id,
    ...captchaFields,
  }),
});

export const LoginRefusal = {
  PasswordOrUserNameIsWrong: { code: 2, msg: "PASSWORD_OR_USER_NAME_IS_WRONG" },
  UserIsBanned: { code: 10, msg: "USER_IS_BANNED" },
  RiskDeviceDetected: { code: 11, msg: "RISK_DEVICE_DETECTED" },
} as const;

/** With both identifiers the email counts; with none the answer is number 2. */
export const login = defineCall<SignedIn>()({
  method: "POST",
  path: "/api/v0/users/login",
  auth: "none",
  answers: "account",
  request: z.object({
    email: maybe(z.string()),
    mobile: maybe(z.string()),
    password: z.string(),
    area_code: maybe(z.string()),
    device_id: originFields.device_id,
    os: originFields.os,
  }),
});

export const RegisterRefusal = {
  EmailExists: { code: 1, msg: "EMAIL_EXISTS" },
  EmailCodeInvalid: { code: 2, msg: "EMAIL_CODE_INVALID" },
  InvalidEmailFormat: { code: 3, msg: "INVALID_EMAIL_FORMAT" },
  InvalidPassword: { code: 4, msg: "INVALID_PASSWORD" },
  RegistrationClosed: { code: 5, msg: "REGISTRATION_CLOSED" },
  FromMainland: { code: 6, msg: "FROM_MAINLAND" },
  CodeExpired: { code: 7, msg: "CODE_EXPIRED" },
  PasscodeFailed: { code: 8, msg: "PASSCODE_FAILED" },
  EmailDomainNotSupported: { code: 9, msg: "EMAIL_DOMAIN_NOT_SUPPORTED" },
} as const;

/** An absent code is "" and answered by number 2. */
export const register = defineCall<SignedIn>()({
  method: "POST",
  path: "/api/v0/users/register",
  auth: "none",
  proof: "guest",
  answers: "account",
  request: z.object({
    payload: z.object({ email: z.string(), email_verification_code: textOrEmpty, password: z.string() }),
    ...originFields,
  }),
});
