// Signing in by password (wire-contract.md §8.1). Apart from the account's other calls: chats do without.
import * as z from "zod/mini";
import type { SignedIn } from "./accounts.ts";
import { defineCall } from "./call.ts";
import { maybe } from "./fields.ts";
import { originFields } from "./sign-in-fields.ts";

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
