// `engine.accounts`: who is signed in, and the forms that change it.
import type { Quota } from "@plumb/protocol/wire/accounts";
import type { OauthProvider } from "@plumb/protocol/wire/oauth";
import type { StoreApi } from "zustand/vanilla";
import type { AuthState } from "./auth-store.ts";
import type { MuteState } from "./mute.ts";
import type { FormResult } from "./sign-in-failures.ts";

export interface Accounts {
  auth: StoreApi<AuthState>;
  /** Seconds left until another code may be sent, by kind. */
  codeTimer: StoreApi<{ email: number }>;
  /** Until when the user may not write. */
  mute: StoreApi<MuteState>;
  /** Today's messages with deep thinking; null until the server answered. */
  thinkingQuota: StoreApi<{ quota: Quota | null }>;
  /** `identifier` is an email, or a phone number where that is what it looks like. */
  signIn(input: { identifier: string; password: string }): Promise<FormResult>;
  signUp(input: { email: string; password: string; code: string }): Promise<FormResult>;
  sendEmailCode(input: { email: string; scenario: "register" }): Promise<FormResult>;
  /** What /authorized came with becomes a sign-in. */
  finishOauth(input: { nonce: string; provider: OauthProvider }): Promise<FormResult>;
  signOut(): Promise<void>;
  /** The banned page is left by its own button: the sign-in page shows again. */
  acknowledgeBan(): void;
}
