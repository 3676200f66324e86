// What people do with their own account in the settings (wire-contract.md §9, §19.1, §19.2). Apart from accounts.ts: the page
// does without it until the settings are opened.
import * as z from "zod/mini";
import type { Quota } from "../stream/stream-event.ts";
import { IdentityNotConfirmed } from "./bindings.ts";
import type { SignedIn } from "./accounts.ts";
import { defineCall } from "./call.ts";
import { id, maybe, nothing, textOrEmpty } from "./fields.ts";

export interface UserSettings {
  training_allowed: boolean;
  thinking_quota: Quota;
}

export const userSettings = defineCall<UserSettings>()({
  method: "GET",
  path: "/api/v0/users/settings",
  request: nothing,
});

/** Answers the settings as saved; an absent key is left as it is. */
export const updateUserSettings = defineCall<UserSettings>()({
  method: "POST",
  path: "/api/v0/users/update_settings",
  request: z.object({ training_allowed: maybe(z.boolean()) }),
});

/** Ends every token of the account. */
export const logoutAllSessions = defineCall<null>()({
  method: "POST",
  path: "/api/v0/users/logout_all_sessions",
  request: nothing,
});

/** One browser or app that is signed in. Times in unix seconds. */
export interface SignInEntry {
  id: string;
  current: boolean;
  /** "Chrome on Linux"; "" where the User-Agent says nothing known. */
  client: string;
  /** ISO 3166-1 alpha-2; null = unknown. */
  region: string | null;
  created_at: number;
  last_used_at: number;
}

/** The latest use first. */
export const signIns = defineCall<{ sign_ins: SignInEntry[] }>()({
  method: "GET",
  path: "/api/v0/users/sign_ins",
  request: nothing,
});

export const EndSignInRefusal = {
  SignInNotFound: { code: 1, msg: "SIGN_IN_NOT_FOUND" },
} as const;

/** Ending the current one is a logout. */
export const endSignIn = defineCall<null>()({
  method: "POST",
  path: "/api/v0/users/end_sign_in",
  request: z.object({ id: z.string() }),
});

export const SetBirthdayRefusal = {
  InvalidDate: { code: 1, msg: "INVALID_DATE" },
  /** All tokens of the account have ended. */
  TooYoung: { code: 2, msg: "TOO_YOUNG" },
  IdentityNotConfirmed,
} as const;

/** The first valid answer is kept, so it needs a confirmed identity (§19.8). */
export const setBirthday = defineCall<null>()({
  method: "POST",
  path: "/api/v0/users/set_birthday",
  request: z.object({ year: id, month: id }),
});

export const UnregisterRefusal = {
  NotFound: { code: 1, msg: "NOT_FOUND" },
  TooFrequent: { code: 2, msg: "TOO_FREQUENT" },
  UserIsBanned: { code: 3, msg: "USER_IS_BANNED" },
  IdentityNotConfirmed,
} as const;

/** Deletes the account with all that is its owner's. Needs a confirmed identity (§19.8). */
export const unregister = defineCall<null>()({
  method: "POST",
  path: "/api/v0/users/unregister",
  request: nothing,
});

export const BindMobileRefusal = {
  /** Only with a right code. */
  MobileAlreadyRegistered: { code: 3, msg: "MOBILE_ALREADY_REGISTERED" },
  CodeExpired: { code: 7, msg: "CODE_EXPIRED" },
  CodeWrong: { code: 8, msg: "CODE_WRONG" },
  InvalidMobileNumber: { code: 12, msg: "INVALID_MOBILE_NUMBER" },
  AlreadyBound: { code: 13, msg: "ALREADY_BOUND" },
  IdentityNotConfirmed,
} as const;

/** Makes a phone number that a code proves the account's. Needs a confirmed identity (§19.8). */
export const bindMobile = defineCall<SignedIn>()({
  method: "POST",
  path: "/api/v0/users/bind_mobile",
  answers: "account",
  request: z.object({
    area_code: maybe(z.string()),
    mobile_number: textOrEmpty,
    sms_verification_code: textOrEmpty,
  }),
});
