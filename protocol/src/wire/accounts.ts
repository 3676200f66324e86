// The account that is signed in: who it is, signing out (wire-contract.md §8.3, §9).
import type { Quota } from "../stream/stream-event.ts";
import { defineCall } from "./call.ts";
import { nothing } from "./fields.ts";
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
