// Proves again that it is the owner who asks, where a call needs it (wire-contract.md §19.8).
import { confirmIdentity, ConfirmIdentityRefusal } from "@plumb/protocol/wire/account-security";
import { IdentityNotConfirmed } from "@plumb/protocol/wire/bindings";
import type { InputOf } from "@plumb/protocol/wire/call";
import type { OauthProvider } from "@plumb/protocol/wire/oauth";
import type { CallResult } from "../api-errors.ts";
import type { Text } from "../text.ts";
import { rememberedErrand, rememberErrand, type ConfirmedAct } from "./confirm-errand.ts";
import type { OwnAccountDeps } from "./own-account-deps.ts";
import { formFailure, isRefused, withCode, type FailureTable, type FormResult } from "./sign-in-failures.ts";

type Proof = InputOf<typeof confirmIdentity>;

const FAILURES: FailureTable = new Map([
  [ConfirmIdentityRefusal.NonceInvalid.code, { field: null, text: { key: "confirmOtherAccount" } }],
  [ConfirmIdentityRefusal.PasswordIsWrong.code, { field: "password", text: { key: "confirmPasswordWrong" } }],
  [ConfirmIdentityRefusal.CodeExpired.code, { field: "code", text: { key: "codeExpired" } }],
  [ConfirmIdentityRefusal.CodeWrong.code, { field: "code", text: { key: "codeWrong" } }],
  [ConfirmIdentityRefusal.WayNotAvailable.code, { field: null, text: { key: "confirmWayGone" } }],
]);
const fallback = withCode({ key: "verificationFailed" }, { key: "verificationFailedCode" });

const textOfFailure = (result: FormResult): Text | null => (result.ok ? null : result.text);

export const identityNotConfirmed = { key: "identityNotConfirmed" } as const;

export type ConfirmIdentity = ReturnType<typeof createConfirmIdentity>;

export function createConfirmIdentity(deps: OwnAccountDeps) {
  const { api, auth, browser, overlays, reactions } = deps;
  /** Who waits for the answer of the dialog. */
  let waiting: ((confirmed: boolean) => void)[] = [];

  function end(confirmed: boolean): void {
    const told = waiting;
    waiting = [];
    overlays.change({ confirming: null });
    for (const tell of told) tell(confirmed);
  }

  function ask(act: ConfirmedAct): Promise<boolean> {
    return new Promise((resolve) => {
      waiting.push(resolve);
      overlays.change({ confirming: act });
    });
  }

  /**
   * Makes a call that needs a confirmed identity. Where it is missing the user is asked to confirm it, and the call is made once
   * more; who does not gets the refusal.
   */
  async function confirmed<T>(act: ConfirmedAct, call: () => Promise<CallResult<T>>): Promise<CallResult<T>> {
    const token = auth.token();
    const result = await call();
    if (result.ok || !isRefused(result.error, IdentityNotConfirmed)) return result;
    // Whoever is signed in by now did not ask for this.
    return (await ask(act)) && token === auth.token() ? call() : result;
  }

  /** Proves it in one way. Who waits for that goes on. */
  async function prove(proof: Proof): Promise<FormResult> {
    const result = await api.call(confirmIdentity, proof);
    if (!result.ok) return formFailure(result.error, FAILURES, fallback);
    end(true);
    return { ok: true };
  }

  /**
   * A sign-in elsewhere came back: what it brought confirms who is signed in here. The page was loaded anew meanwhile: what was to be
   * done is opened again and left to its owner, since nothing is removed or deleted by loading a page.
   */
  async function finishElsewhere(
    brought: { nonce: string; provider: OauthProvider } | { failed: Text },
  ): Promise<void> {
    const act = rememberedErrand(browser);
    const failed = "failed" in brought ? brought.failed : await prove(brought).then(textOfFailure);
    rememberErrand(browser, null);
    if (act === "bind_mobile") overlays.change({ gate: "phone" });
    // The age gate is there of itself, while it is due.
    else if (act !== "set_birthday") overlays.change({ settings: "account" });
    if (failed === null) reactions.toast({ type: "success", text: { key: "identityConfirmed" } });
    else reactions.toast({ type: "error", text: failed, dedupeKey: "confirm" });
  }

  return {
    confirmed,
    withPassword: (password: string) => prove({ password }),
    withCode: (channel: "email" | "sms", code: string) =>
      prove(channel === "email" ? { email_verification_code: code } : { sms_verification_code: code }),
    finishElsewhere,
    /** The user does not want to. */
    dismiss: () => end(false),
    /** The account leaves. */
    clear: () => end(false),
  };
}
