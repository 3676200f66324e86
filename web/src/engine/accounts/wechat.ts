// Signing in with WeChat: the page with the QR code, and the phone that goes with it (wire-contract.md §8.9, §8.12).
import {
  startWechat,
  verifyWechatMobile,
  WechatBindingRefusal,
  type Usage,
} from "@plumb/protocol/wire/oauth";
import type { ApiClient } from "../api-client.ts";
import type { AccountLifecycle } from "./account-lifecycle.ts";
import type { Browser } from "../browser.ts";
import { KEPT_SIGNATURE } from "../sessions/kept-under.ts";
import type { AuthStore } from "./auth-store.ts";
import { formFailure, type FailureTable, type FormResult, isRefused, withCode } from "./sign-in-failures.ts";

/** `isOver`: nothing can be done on this page any more. */
export type BindingResult = FormResult & { isOver?: boolean };

const FAILURES: FailureTable = new Map([
  [WechatBindingRefusal.AccountAlreadyExists.code, { field: null, text: { key: "accountExists" } }],
  [WechatBindingRefusal.RegistrationExpired.code, { field: null, text: { key: "registrationExpired" } }],
  [WechatBindingRefusal.GetProfileFailed.code, { field: null, text: { key: "wechatProfileFailed" } }],
  [WechatBindingRefusal.InvalidSignature.code, { field: null, text: { key: "wechatLinkInvalid" } }],
  [WechatBindingRefusal.MobileBoundToOtherWechat.code, { field: null, text: { key: "phoneOfOtherWechat" } }],
  [WechatBindingRefusal.WechatBoundToOtherMobile.code, { field: null, text: { key: "wechatOfOtherPhone" } }],
  [WechatBindingRefusal.CodeExpired.code, { field: "code", text: { key: "codeExpired" } }],
  [WechatBindingRefusal.CodeWrong.code, { field: "code", text: { key: "codeWrong" } }],
  [WechatBindingRefusal.MobileIsBanned.code, { field: null, text: { key: "accountSuspended" } }],
  [WechatBindingRefusal.InvalidMobileNumber.code, { field: "mobile", text: { key: "phoneInvalid" } }],
  [WechatBindingRefusal.RegistrationClosed.code, { field: null, text: { key: "registrationClosed" } }],
  [WechatBindingRefusal.OnlyMainland.code, { field: null, text: { key: "onlyMainland" } }],
]);
const fallback = withCode({ key: "verificationFailed" }, { key: "verificationFailedCode" });

/** The address of the page with the QR code; null where it cannot be had. */
export async function wechatPage({ api }: { api: ApiClient }): Promise<string | null> {
  const started = await api.call(startWechat, {});
  return started.ok ? started.data.qr_url : null;
}

interface WechatDeps {
  api: ApiClient;
  auth: AuthStore;
  account: AccountLifecycle;
  browser: Pick<Browser, "tabStorage">;
}

/** What is refused this way another phone, or another code, can mend; after whatever else the call refuses the signature is no use. */
const SIGNATURE_STAYS = [
  WechatBindingRefusal.MobileBoundToOtherWechat,
  WechatBindingRefusal.CodeExpired,
  WechatBindingRefusal.CodeWrong,
  WechatBindingRefusal.InternalError,
  WechatBindingRefusal.MobileIsBanned,
  WechatBindingRefusal.InvalidMobileNumber,
  WechatBindingRefusal.RegistrationClosed,
  WechatBindingRefusal.OnlyMainland,
];

/** What /mobile_verification came with, and a phone, become a sign-in. */
export async function bindWechat(
  { api, auth, account, browser }: WechatDeps,
  input: { signature: string; mobile: string; code: string; usage: Usage[] },
): Promise<BindingResult> {
  const result = await api.call(verifyWechatMobile, {
    signature: input.signature,
    area_code: "+86",
    mobile_number: input.mobile,
    sms_verification_code: input.code,
    usage: input.usage,
  });
  if (!result.ok) {
    const { error } = result;
    const isOfCall = error.kind === "refused" && error.scope === "call";
    if (isOfCall && !SIGNATURE_STAYS.some((refusal) => isRefused(error, refusal)))
      browser.tabStorage.remove(KEPT_SIGNATURE);
    const { RegistrationExpired, GetProfileFailed } = WechatBindingRefusal;
    const isOver = isRefused(error, RegistrationExpired) || isRefused(error, GetProfileFailed);
    return { ...formFailure(error, FAILURES, fallback), isOver };
  }
  auth.signedIn(result.data.user);
  account.enter();
  return { ok: true };
}
