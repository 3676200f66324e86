// A phone becomes the account's (wire-contract.md §19.2, §18.4).
import { bindMobile, BindMobileRefusal } from "@plumb/protocol/wire/own-account";
import { identityNotConfirmed, type ConfirmIdentity } from "./confirm-identity.ts";
import type { OwnAccountDeps } from "./own-account-deps.ts";
import { formFailure, isRefused, withCode, type FailureTable, type FormResult } from "./sign-in-failures.ts";

const FAILURES: FailureTable = new Map([
  [BindMobileRefusal.MobileAlreadyRegistered.code, { field: "mobile", text: { key: "phoneRegistered" } }],
  [BindMobileRefusal.CodeExpired.code, { field: "code", text: { key: "codeExpired" } }],
  [BindMobileRefusal.CodeWrong.code, { field: "code", text: { key: "codeWrong" } }],
  [BindMobileRefusal.InvalidMobileNumber.code, { field: "mobile", text: { key: "phoneInvalid" } }],
  [BindMobileRefusal.IdentityNotConfirmed.code, { field: null, text: identityNotConfirmed }],
]);
const fallback = withCode({ key: "verificationFailed" }, { key: "verificationFailedCode" });

/** `mobile` is 11 digits. Done as well where another page of the account has bound one meanwhile. */
export function createBindMobile(
  { api, auth, checkAccount, overlays, reactions }: OwnAccountDeps,
  { confirmed }: Pick<ConfirmIdentity, "confirmed">,
) {
  return async ({ mobile, code }: { mobile: string; code: string }): Promise<FormResult> => {
    const token = auth.token();
    const body = { area_code: "+86", mobile_number: mobile, sms_verification_code: code };
    const result = await confirmed("bind_mobile", () => api.call(bindMobile, body));
    // Somebody else may be signed in by now.
    if (token !== auth.token()) return { ok: true };
    if (!result.ok && !isRefused(result.error, BindMobileRefusal.AlreadyBound))
      return formFailure(result.error, FAILURES, fallback);
    // The question goes with what is known of the account; the age gate may stand in its place by now.
    if (result.ok) auth.changed(result.data.user);
    else {
      overlays.change({ gate: null });
      checkAccount();
    }
    reactions.toast({ type: "success", text: { key: "phoneBound" } });
    return { ok: true };
  };
}
