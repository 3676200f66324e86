// Signing up by email or phone, and signing in by a code, which makes the account where there is none
// (wire-contract.md §8.2–§8.4).
import * as z from "zod/mini";
import type { SignedIn } from "./accounts.ts";
import { defineCall } from "./call.ts";
import { maybe, textOrEmpty } from "./fields.ts";
import { originFields } from "./sign-in-fields.ts";

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
  InvitationInvalid: { code: 10, msg: "INVITATION_INVALID" },
  PasswordTooCommon: { code: 13, msg: "PASSWORD_TOO_COMMON" },
} as const;

/** An absent code is "" and answered by number 2, unless an invitation does without it (§19.3). */
export const register = defineCall<SignedIn>()({
  method: "POST",
  path: "/api/v0/users/register",
  auth: "none",
  proof: "guest",
  answers: "account",
  request: z.object({
    payload: z.object({
      email: z.string(),
      email_verification_code: textOrEmpty,
      password: z.string(),
      invitation: textOrEmpty,
    }),
    ...originFields,
  }),
});

export const RegisterByMobileRefusal = {
  SmsCodeInvalid: { code: 2, msg: "SMS_CODE_INVALID" },
  MobileAlreadyRegistered: { code: 3, msg: "MOBILE_ALREADY_REGISTERED" },
  InvalidPassword: { code: 4, msg: "INVALID_PASSWORD" },
  RegistrationClosed: { code: 5, msg: "REGISTRATION_CLOSED" },
  OnlyMainland: { code: 6, msg: "ONLY_MAINLAND" },
  CodeExpired: { code: 7, msg: "CODE_EXPIRED" },
  CodeWrong: { code: 8, msg: "CODE_WRONG" },
  InvalidMobileNumber: { code: 12, msg: "INVALID_MOBILE_NUMBER" },
  PasswordTooCommon: { code: 13, msg: "PASSWORD_TOO_COMMON" },
} as const;

/** An absent code is "" and answered by number 2. `audit_json_str` is read and ignored. */
export const registerByMobile = defineCall<SignedIn>()({
  method: "POST",
  path: "/api/v0/users/register_by_mobile",
  auth: "none",
  proof: "guest",
  answers: "account",
  request: z.object({
    payload: z.object({
      area_code: maybe(z.string()),
      mobile_number: z.string(),
      sms_verification_code: textOrEmpty,
      audit_json_str: maybe(z.string()),
      password: z.string(),
    }),
    ...originFields,
  }),
});

/** A success, too: the number had an account already. */
export const LoginToExistingAccount = { code: 1, msg: "LOGIN_TO_EXISTING_ACCOUNT" } as const;

export const SmsLoginRefusal = {
  UserIsBanned: { code: 3, msg: "USER_IS_BANNED" },
  RegistrationClosed: { code: 5, msg: "REGISTRATION_CLOSED" },
  OnlyMainland: { code: 6, msg: "ONLY_MAINLAND" },
  CodeExpired: { code: 7, msg: "CODE_EXPIRED" },
  CodeWrong: { code: 8, msg: "CODE_WRONG" },
  InternalError: { code: 9, msg: "INTERNAL_ERROR" },
  InvalidMobileNumber: { code: 12, msg: "INVALID_MOBILE_NUMBER" },
  SsoError: { code: 99, msg: "SSO_ERROR" },
} as const;

/** 0 = the account was made now; 1 = it was there. */
export const loginByMobileSms = defineCall<SignedIn>()({
  method: "POST",
  path: "/api/v0/users/login_by_mobile_sms",
  auth: "none",
  proof: "guest",
  answers: "account",
  successCodes: [0, LoginToExistingAccount.code],
  request: z.object({
    mobile_number: z.string(),
    area_code: maybe(z.string()),
    sms_verification_code: z.string(),
    ...originFields,
  }),
});
