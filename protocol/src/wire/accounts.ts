// The account that is signed in: who it is, its own settings, signing out (wire-contract.md §8.3, §9).
import * as z from "zod/mini";
import type { Quota } from "../stream/stream-event.ts";
import { defineCall } from "./call.ts";
import { maybe, nothing } from "./fields.ts";
import type { User } from "./user.ts";

export type { Quota } from "../stream/stream-event.ts";
export type { Profile, User } from "./user.ts";

/** biz_data of account results: code and msg are added by the envelope. */
export interface SignedIn {
  user: User;
}

export const LogoutRefusal = {
  LogoutFailed: { code: 1, msg: "LOGOUT_FAILED" },
} as const;

/** Ends the presented token. */
export const logout = defineCall<null>()({
  method: "POST",
  path: "/api/v0/users/logout",
  request: nothing,
});

/** Ends every token of the account. */
export const logoutAllSessions = defineCall<null>()({
  method: "POST",
  path: "/api/v0/users/logout_all_sessions",
  request: nothing,
});

/** The user flat and once more under `user`; the envelope repeats `user` beside biz_data. */
export const currentUser = defineCall<User & SignedIn>()({
  method: "GET",
  path: "/api/v0/users/current",
  repeatedKeys: ["user"],
  request: nothing,
});

export const featureQuota = defineCall<{ thinking: Quota }>()({
  method: "GET",
  path: "/api/v0/users/feature_quota",
  request: nothing,
});

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
