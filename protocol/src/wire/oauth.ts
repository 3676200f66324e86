// Signing in through somebody else: Google and WeChat (wire-contract.md §8.7–§8.12, §18.5).
import * as z from "zod/mini";
import type { SignedIn } from "./accounts.ts";
import { defineCall } from "./call.ts";
import { maybe, text, textOrEmpty } from "./fields.ts";
import { LIMITS } from "../limits.ts";
import { captchaQuery } from "./sign-in-fields.ts";

export const OAUTH_PROVIDERS = ["GOOGLE", "WECHAT"] as const;
export type OauthProvider = (typeof OAUTH_PROVIDERS)[number];

/** What `/sign_in?provider=…&error=…&code=…` says (§18.5). */
export const OauthRefusal = {
  SwapCodeInvalid: { code: 1, msg: "SWAP_CODE_INVALID" },
  OauthAlreadyBoundToEmail: { code: 2, msg: "OAUTH_ALREADY_BOUND_TO_EMAIL" },
  EmailAlreadyBoundToOauth: { code: 3, msg: "EMAIL_ALREADY_BOUND_TO_OAUTH" },
  RegistrationClosed: { code: 5, msg: "REGISTRATION_CLOSED" },
  EmailDomainNotSupported: { code: 6, msg: "EMAIL_DOMAIN_NOT_SUPPORTED" },
  UnexpectedError: { code: 9, msg: "UNEXPECTED_ERROR" },
  UserIsBanned: { code: 10, msg: "USER_IS_BANNED" },
  RiskDeviceDetected: { code: 11, msg: "RISK_DEVICE_DETECTED" },
  CaptchaFailed: { code: 12, msg: "CAPTCHA_FAILED" },
} as const;

/** Too long for any provider's: such a value is not looked up. */
const param = text(2048);

/** A full-page redirect to the provider; a refusal is one to the sign-in page. */
export const googleAuthorize = defineCall<null>()({
  method: "GET",
  path: "/api/v0/users/oauth/google/authorize",
  auth: "none",
  answers: "redirect",
  request: z.object({ os: maybe(z.string()), device_id: maybe(text(LIMITS.deviceIdChars)), ...captchaQuery }),
});

/** Where the provider sends the browser. `iss` is who answers (RFC 9207). */
export const googleCallback = defineCall<null>()({
  method: "GET",
  path: "/api/v0/users/oauth/google/callback",
  auth: "none",
  answers: "redirect",
  request: z.object({ code: maybe(param), state: maybe(param), error: maybe(param), iss: maybe(param) }),
});

export const GetTokenRefusal = {
  NonceInvalid: { code: 1, msg: "NONCE_INVALID" },
  UserIsBanned: { code: 10, msg: "USER_IS_BANNED" },
} as const;

/** Exchanges the nonce of `/authorized` for a token, once and in the browser that signed in. */
export const getOauthToken = defineCall<{ token: string }>()({
  method: "POST",
  path: "/api/v0/users/oauth/get_token",
  auth: "none",
  answers: "account",
  request: z.object({ nonce: z.string(), provider: z.enum(OAUTH_PROVIDERS) }),
});

export const WechatStartRefusal = {
  WechatNotConfigured: { code: 1, msg: "WECHAT_NOT_CONFIGURED" },
} as const;

/** What the page with the QR code is asked for; `qr_url` is its whole address. */
export interface WechatStart {
  app_id: string;
  scope: "snsapi_login";
  state: string;
  redirect_uri: string;
  qr_url: string;
}

export const startWechat = defineCall<WechatStart>()({
  method: "POST",
  path: "/api/v0/users/oauth/wechat/start",
  auth: "none",
  answers: "account",
  request: z.object({}),
});

/** Where WeChat sends the browser. Outside of /api: this is the address that is registered there. */
export const wechatCallback = defineCall<null>()({
  method: "GET",
  path: "/oauth/wechat/callback",
  auth: "none",
  answers: "redirect",
  request: z.object({ code: maybe(param), state: maybe(param) }),
});

export const WechatBindingRefusal = {
  AccountAlreadyExists: { code: 1, msg: "ACCOUNT_ALREADY_EXISTS" },
  RegistrationExpired: { code: 2, msg: "REGISTRATION_EXPIRED" },
  GetProfileFailed: { code: 3, msg: "GET_PROFILE_FAILED" },
  InvalidSignature: { code: 4, msg: "INVALID_SIGNATURE" },
  MobileBoundToOtherWechat: { code: 5, msg: "MOBILE_BOUND_TO_OTHER_WECHAT" },
  WechatBoundToOtherMobile: { code: 6, msg: "WECHAT_BOUND_TO_OTHER_MOBILE" },
  CodeExpired: { code: 7, msg: "CODE_EXPIRED" },
  CodeWrong: { code: 8, msg: "CODE_WRONG" },
  InternalError: { code: 9, msg: "INTERNAL_ERROR" },
  MobileIsBanned: { code: 10, msg: "MOBILE_IS_BANNED" },
  InvalidMobileNumber: { code: 12, msg: "INVALID_MOBILE_NUMBER" },
  RegistrationClosed: { code: 13, msg: "REGISTRATION_CLOSED" },
  OnlyMainland: { code: 14, msg: "ONLY_MAINLAND" },
} as const;

export const USAGES = ["business", "research", "entertainment", "others"] as const;
export type Usage = (typeof USAGES)[number];

export const WECHAT_SUCCESS = {
  registered: "REGISTERED_WECHAT_AND_MOBILE",
  bound: "BOUND_WECHAT_TO_EXISTING_MOBILE",
} as const;

/** Binds the phone of a WeChat sign-in to an account of its number, which is made where there is none. */
export const verifyWechatMobile = defineCall<
  SignedIn & { success_code: (typeof WECHAT_SUCCESS)[keyof typeof WECHAT_SUCCESS] }
>()({
  method: "POST",
  path: "/api/v0/users/oauth/wechat/mobile_verification",
  auth: "none",
  answers: "account",
  request: z.object({
    signature: textOrEmpty,
    area_code: maybe(z.string()),
    mobile_number: textOrEmpty,
    sms_verification_code: textOrEmpty,
    usage: maybe(z.array(z.enum(USAGES))),
  }),
});
