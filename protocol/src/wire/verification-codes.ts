// Codes by mail and by text message: sent, and checked before a reset (wire-contract.md §7.4–§7.7).
import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import type { BoundSince } from "./bindings.ts";
import { defineCall } from "./call.ts";
import { maybe, text, textOrEmpty, withDefault } from "./fields.ts";
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
  RegistrationClosed: { code: 5, msg: "REGISTRATION_CLOSED" },
  FromMainland: { code: 6, msg: "FROM_MAINLAND" },
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
    /** One that is good lets a code be sent where sign-up would not. */
    invitation: textOrEmpty,
    locale: originFields.locale,
    device_id: originFields.device_id,
    ...captchaFields,
  }),
});

export const SmsCodeRefusal = {
  /** With `send_window_secs`, the seconds left, in biz_data. */
  SmsSendTooFrequent: { code: 1, msg: "SMS_SEND_TOO_FREQUENT" },
  CaptchaFailed: { code: 2, msg: "CAPTCHA_FAILED" },
  NoMobileNumber: { code: 3, msg: "NO_MOBILE_NUMBER" },
  InvalidMobileNumber: { code: 12, msg: "INVALID_MOBILE_NUMBER" },
  SmsCloudError: { code: 99, msg: "SMS_CLOUD_ERROR" },
} as const;

/**
 * An absent number is "" and answered by the call's own number 3. A `scenario` that is said binds the code to it. With a
 * token a number that no account has can be bound.
 */
export const createSmsVerificationCode = defineCall<CodeSent>()({
  method: "POST",
  path: "/api/v0/users/create_sms_verification_code",
  auth: "optional",
  proof: "guest",
  answers: "account",
  request: z.object({
    mobile_number: textOrEmpty,
    area_code: maybe(z.string()),
    scenario: maybe(text(LIMITS.codeScenarioChars)),
    locale: originFields.locale,
    device_id: originFields.device_id,
    ...captchaFields,
  }),
});

/** Refusals of both checks; the last one is of the check of a phone alone. */
export const CheckCodeRefusal = {
  NotRegistered: { code: 2, msg: "NOT_REGISTERED" },
  UserIsBanned: { code: 3, msg: "USER_IS_BANNED" },
  CodeExpired: { code: 7, msg: "CODE_EXPIRED" },
  CodeWrong: { code: 8, msg: "CODE_WRONG" },
  InvalidMobileNumber: { code: 12, msg: "INVALID_MOBILE_NUMBER" },
} as const;

/** What a right code of a reset tells: what was bound since its address or phone was last proved. */
export interface CodeChecked {
  bound_since: BoundSince[];
}

/** Does not consume the code. */
export const checkSmsCode = defineCall<CodeChecked>()({
  method: "POST",
  path: "/api/v0/users/check_sms_code",
  auth: "none",
  answers: "account",
  request: z.object({
    mobile_number: z.string(),
    area_code: maybe(z.string()),
    sms_verification_code: z.string(),
  }),
});

/** Checks a code of the scenario reset_password, and does not consume it. */
export const checkEmailCode = defineCall<CodeChecked>()({
  method: "POST",
  path: "/api/v0/users/check_email_code",
  auth: "none",
  answers: "account",
  request: z.object({ email: z.string(), email_verification_code: z.string() }),
});
