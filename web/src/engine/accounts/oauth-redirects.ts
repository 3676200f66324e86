// Where a sign-in elsewhere begins, and what the sign-in page is told of one that failed (wire-contract.md §8.7, §18.5).
import { LIMITS } from "@plumb/protocol/limits";
import { hasAtMost } from "@plumb/protocol/rules/code-points";
import {
  googleAuthorize,
  OAUTH_PROVIDERS,
  OauthRefusal,
  type OauthProvider,
} from "@plumb/protocol/wire/oauth";
import type { CaptchaFields } from "../guard/captcha.ts";
import type { Text } from "../text.ts";
import { globalText } from "../texts.ts";

/** The address that the whole page goes to. A device id that is too long for a URL is left out. */
export function googleAddress(captcha: CaptchaFields, deviceId: string | null): string {
  const { shumei_verification: shumei, ...tokens } = captcha;
  const query = new URLSearchParams({ os: "web", ...tokens });
  if (deviceId !== null && hasAtMost(deviceId, LIMITS.deviceIdChars)) query.set("device_id", deviceId);
  if (shumei !== undefined) query.set("shumei_verification", JSON.stringify(shumei));
  return `${googleAuthorize.path}?${query.toString()}`;
}

/** The provider of a query; null for any other word. */
export function providerOf(name: string | null): OauthProvider | null {
  return OAUTH_PROVIDERS.find((provider) => provider === name) ?? null;
}

const GOOGLE_ONLY: ReadonlyMap<number, Text> = new Map([
  [OauthRefusal.OauthAlreadyBoundToEmail.code, { key: "googleOtherAccount" }],
  [OauthRefusal.EmailAlreadyBoundToOauth.code, { key: "googleOtherAccount" }],
  [OauthRefusal.EmailDomainNotSupported.code, { key: "oauthEmailDomain" }],
  [OauthRefusal.RiskDeviceDetected.code, { key: "deviceEnvironmentError" }],
  [OauthRefusal.CaptchaFailed.code, { key: "deviceEnvironmentError" }],
]);
const OF_BOTH: ReadonlyMap<number, Text> = new Map([
  [OauthRefusal.SwapCodeInvalid.code, { key: "oauthExpired" }],
  [OauthRefusal.RegistrationClosed.code, { key: "registrationClosed" }],
  [OauthRefusal.UnexpectedError.code, { key: "oauthUnexpected" }],
  [OauthRefusal.UserIsBanned.code, { key: "accountSuspended" }],
]);

/** What the query of the sign-in page says of a sign-in that failed; null where it says nothing of one. */
export function redirectText(search: string): Text | null {
  const query = new URLSearchParams(search);
  const provider = providerOf(query.get("provider"));
  if (provider === null || query.get("error") === null) return null;
  const code = Number(query.get("code"));
  const known = OF_BOTH.get(code) ?? (provider === "GOOGLE" ? GOOGLE_ONLY.get(code) : undefined);
  // What keeps any call from being answered is said in its own words.
  return known ?? globalText(code, null, "") ?? { key: "loginFailed" };
}
