// Confirming that it is the owner who asks, and the ways into an account (wire-contract.md §19.8, §19.9).
import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import type { SignedIn } from "./accounts.ts";
import { type BoundSince, IdentityNotConfirmed, REMOVABLE_KINDS, type RemovableKind } from "./bindings.ts";
import { defineCall } from "./call.ts";
import { maybe, nothing, text } from "./fields.ts";
import { OAUTH_PROVIDERS, type OauthProvider } from "./oauth.ts";
import { originFields } from "./sign-in-fields.ts";
import type { CodeSent } from "./verification-codes.ts";

export interface Binding extends BoundSince {
  /** Whether `unbind` takes it: an address, and the last way in, stay. */
  removable: boolean;
}

/** How an owner can confirm that it is them. */
export type ConfirmationWay = "password" | "email" | "sms" | OauthProvider;

export interface AccountSecurity {
  /** Until when the token is confirmed, in unix seconds; 0 = it is not. */
  confirmed_until: number;
  ways: ConfirmationWay[];
  bindings: Binding[];
}

export const accountSecurity = defineCall<AccountSecurity>()({
  method: "GET",
  path: "/api/v0/users/security",
  request: nothing,
});

export const ConfirmIdentityRefusal = {
  /** Also a nonce that leads to another account. */
  NonceInvalid: { code: 1, msg: "NONCE_INVALID" },
  PasswordIsWrong: { code: 2, msg: "PASSWORD_OR_USER_NAME_IS_WRONG" },
  CodeExpired: { code: 7, msg: "CODE_EXPIRED" },
  CodeWrong: { code: 8, msg: "CODE_WRONG" },
  /** The account has no such way, or not exactly one was given. */
  WayNotAvailable: { code: 9, msg: "WAY_NOT_AVAILABLE" },
} as const;

/** Confirms the presented token for ten minutes. Takes exactly one of a password, a code, or a nonce with its provider. */
export const confirmIdentity = defineCall<{ confirmed_until: number }>()({
  method: "POST",
  path: "/api/v0/users/confirm_identity",
  answers: "account",
  request: z.object({
    password: maybe(z.string()),
    email_verification_code: maybe(z.string()),
    sms_verification_code: maybe(z.string()),
    nonce: maybe(z.string()),
    provider: maybe(z.enum(OAUTH_PROVIDERS)),
  }),
});

export const ConfirmCodeRefusal = {
  /** With `send_window_secs`, the seconds left, in biz_data. */
  TooFrequent: { code: 1, msg: "CODE_SEND_TOO_FREQUENT" },
  WayNotAvailable: { code: 9, msg: "WAY_NOT_AVAILABLE" },
  NotSent: { code: 99, msg: "CODE_NOT_SENT" },
} as const;

/** Sends a code to the account's own address or phone, which the page knows masked only. */
export const sendConfirmCode = defineCall<CodeSent>()({
  method: "POST",
  path: "/api/v0/users/confirm_code",
  answers: "account",
  request: z.object({ channel: z.enum(["email", "sms"]), locale: originFields.locale }),
});

export const UnbindRefusal = {
  NotBound: { code: 1, msg: "NOT_BOUND" },
  LastWayIn: { code: 2, msg: "LAST_WAY_IN" },
  IdentityNotConfirmed,
} as const;

/** Removes a way into the account, and ends its other sign-ins. Needs a confirmed identity. */
export const unbind = defineCall<SignedIn>()({
  method: "POST",
  path: "/api/v0/users/unbind",
  answers: "account",
  request: z.object({ kind: z.enum(REMOVABLE_KINDS) }),
});

export const UndoBindingRefusal = {
  /** Forged, expired, or the binding has changed since. */
  LinkInvalid: { code: 1, msg: "LINK_INVALID" },
} as const;

/**
 * Removes what was bound, by the token behind the `#` of `/undo_binding` in the message that told its owner, and ends all
 * sign-ins of the account.
 */
export const undoBinding = defineCall<{ kind: RemovableKind }>()({
  method: "POST",
  path: "/api/v0/users/undo_binding",
  auth: "none",
  answers: "account",
  request: z.object({ token: text(LIMITS.undoTokenChars) }),
});
