// A new password, by a code that was sent to the account's email or phone (wire-contract.md §8.5, §8.6).
import * as z from "zod/mini";
import { BINDING_KINDS } from "./bindings.ts";
import { defineCall } from "./call.ts";
import { maybe } from "./fields.ts";

/** Refusals of both calls; InvalidMobileNumber is of the call by phone alone. */
export const ResetPasswordRefusal = {
  NotRegistered: { code: 2, msg: "NOT_REGISTERED" },
  InvalidPassword: { code: 4, msg: "INVALID_PASSWORD" },
  ResetExpired: { code: 7, msg: "RESET_EXPIRED" },
  CodeWrong: { code: 8, msg: "CODE_WRONG" },
  UserIsBanned: { code: 10, msg: "USER_IS_BANNED" },
  InvalidMobileNumber: { code: 12, msg: "INVALID_MOBILE_NUMBER" },
  PasswordTooCommon: { code: 13, msg: "PASSWORD_TOO_COMMON" },
} as const;

/**
 * What is removed with the reset: of what a check of the code lists as `bound_since`, the kinds named here. Other kinds
 * stay as they are.
 */
const unbind = maybe(z.array(z.enum(BINDING_KINDS)));

/** Ends all tokens of the account. */
export const emailResetPassword = defineCall<object>()({
  method: "POST",
  path: "/api/v0/users/email_reset_password",
  auth: "none",
  answers: "account",
  request: z.object({
    email: z.string(),
    email_verification_code: z.string(),
    password: z.string(),
    unbind,
  }),
});

/** Ends all tokens of the account. */
export const mobileResetPassword = defineCall<object>()({
  method: "POST",
  path: "/api/v0/users/mobile_reset_password",
  auth: "none",
  answers: "account",
  request: z.object({
    area_code: maybe(z.string()),
    mobile_number: z.string(),
    sms_verification_code: z.string(),
    password: z.string(),
    unbind,
  }),
});
