// `engine.accounts`: who is signed in, and the forms that change it.
import type { Quota } from "@plumb/protocol/wire/accounts";
import type { OauthProvider } from "@plumb/protocol/wire/oauth";
import type { StoreApi } from "zustand/vanilla";
import type { BindingKind, BoundSince } from "@plumb/protocol/wire/bindings";
import type { Browser } from "../browser.ts";
import type { AuthState } from "./auth-store.ts";
import type { CaptchaFields } from "../guard/captcha.ts";
import type { CodeKind } from "./asked-codes.ts";
import type { MuteState } from "./mute.ts";
import type { FormResult } from "./sign-in-failures.ts";
import type { UndoResult } from "./undo-binding.ts";
import type { bindWechat, BindingResult } from "./wechat.ts";

/** What is done with a code, or a link, that was sent. A phone is 11 digits; a `target` is one, or an email. */
export interface CodeForms {
  /** An invitation stands in for the code, or goes with it where it is for nobody in particular. */
  signUp(input: {
    email: string;
    password: string;
    code: string;
    invitation: string | null;
  }): Promise<FormResult>;
  signUpByPhone(input: { mobile: string; password: string; code: string }): Promise<FormResult>;
  /** Where the phone has no account, one is made. */
  signInByCode(input: { mobile: string; code: string }): Promise<FormResult>;
  sendCode(input: {
    target: string;
    scenario: "register" | "login" | "reset_password" | "bind_mobile";
    timer: CodeKind;
    /** Lets a code be sent where sign-up is closed. */
    invitation?: string | null;
  }): Promise<FormResult>;
  /** To the account's own address or phone, which the page does not know whole: it confirms who is signed in. */
  sendOwnCode(channel: "email" | "sms"): Promise<FormResult>;
  /** Whether a code lets its account have a new password; it is good for that afterwards. */
  checkCode(input: { target: string; code: string }): Promise<CheckedCode>;
  /** `unbind`: what of that the code has shown as `boundSince` goes. */
  resetPassword(input: {
    target: string;
    code: string;
    password: string;
    unbind: readonly BindingKind[];
  }): Promise<FormResult>;
  /** What was bound to an account goes, by the token of the link in the message that told of it. */
  undoBinding(token: string): Promise<UndoResult>;
}

/** A right code also shows what was bound to the account since its owner last proved the address or the phone. */
export type CheckedCode =
  { ok: true; boundSince: readonly BoundSince[] } | Extract<FormResult, { ok: false }>;

export interface Accounts extends CodeForms {
  auth: StoreApi<AuthState>;
  /** Seconds left until another code may be sent, by kind. */
  codeTimer: StoreApi<Record<CodeKind, number>>;
  /** Whom the last code of this kind was for, "" where none was asked for: a form begins with it after a reload. */
  askedFor(kind: CodeKind): string;
  /** Where a form keeps what a reload of its tab shall not lose. */
  ofTab: Pick<Browser, "tabStorage" | "now">;
  /** Until when the user may not write. */
  mute: StoreApi<MuteState>;
  /** Today's messages with deep thinking; null until the server answered. */
  thinkingQuota: StoreApi<{ quota: Quota | null }>;
  /** `identifier` is an email, or a phone number where that is what it looks like. */
  signIn(input: { identifier: string; password: string }): Promise<FormResult>;
  /**
   * The address of Google's sign-in, with what the captcha gave and which device this is: the whole page goes there. Null where
   * it cannot be had.
   */
  googleAddress(captcha: CaptchaFields): Promise<string | null>;
  /** What /authorized came with becomes a sign-in. */
  finishOauth(input: { nonce: string; provider: OauthProvider }): Promise<FormResult>;
  /** The address of WeChat's page with the QR code; null where it cannot be had. */
  wechatPage(): Promise<string | null>;
  /** What /mobile_verification came with, and a phone, become a sign-in. */
  bindWechat(input: Parameters<typeof bindWechat>[1]): Promise<BindingResult>;
  signOut(): Promise<void>;
  /** The banned page is left by its own button: the sign-in page shows again. */
  acknowledgeBan(): void;
}
