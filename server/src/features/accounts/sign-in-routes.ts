// Signing in by password and by a code to one's phone (wire-contract.md §8.1, §8.2).
import { isVerificationCode } from "@plumb/protocol/rules/sign-in-rules";
import { login } from "@plumb/protocol/wire/sign-in";
import { loginByMobileSms, LoginToExistingAccount, SmsLoginRefusal } from "@plumb/protocol/wire/sign-up";
import type { Deps } from "../../platform/deps.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { siteOf } from "../../platform/network-of.ts";
import { Refusal } from "../../platform/refusal.ts";
import { regionOf } from "../guard/region-of.ts";
import { createAnswerSignedIn } from "./answer-signed-in.ts";
import { CodeRequesters } from "./code-requesters.ts";
import { DeviceCookies, type KnownAccount } from "./device-cookie.ts";
import type { PasswordTries } from "./password-tries.ts";
import { mayUsePhone } from "./phone-regions.ts";
import { readMobile } from "./read-mobile.ts";
import { signInByCode } from "./sign-in-by-code.ts";
import { signInOrigin } from "./sign-in-origin.ts";
import { signIn } from "./sign-in.ts";
import { codeKeyOf } from "./verification-codes.ts";

const LOGIN = { rate: "login", accountStatus: "any" } as const;

const smsRefusals = {
  wrong: SmsLoginRefusal.CodeWrong,
  expired: SmsLoginRefusal.CodeExpired,
  banned: SmsLoginRefusal.UserIsBanned,
  closed: SmsLoginRefusal.RegistrationClosed,
} as const;

export function signInRoutes(deps: Deps, tries: PasswordTries): Route[] {
  const { config, db, ports } = deps;
  const codeKey = codeKeyOf(deps.secretKey);
  const devices = new DeviceCookies(deps);
  const requesters = new CodeRequesters(deps);
  const answerSignedIn = createAnswerSignedIn(deps);

  return [
    route(login, LOGIN, async (context, request) => {
      const caller = {
        network: siteOf(context.ip) ?? context.ip,
        deviceFor: (account: KnownAccount) => devices.find(context, account),
        origin: signInOrigin(deps, context),
      };
      const signedIn = await signIn({ db, tries }, request, caller, ports.clock.now());
      context.log.info({ user: signedIn.user.id }, "signed in");
      return answerSignedIn(context, signedIn);
    }),

    route(loginByMobileSms, LOGIN, async (context, request) => {
      const mobile = readMobile(request, SmsLoginRefusal.InvalidMobileNumber);
      if (!mayUsePhone(config, regionOf(deps, context))) throw new Refusal(SmsLoginRefusal.OnlyMainland);
      const { sms_verification_code: code, device_id: deviceId } = request;
      if (!isVerificationCode(code)) throw new Refusal(SmsLoginRefusal.CodeWrong);
      const origin = signInOrigin(deps, context);
      const { requester } = await requesters.identify(context, { mobile });
      const asked = { mobile, code, deviceId, requester, origin, mayMake: config.signUp === "open" };
      const signedIn = await signInByCode({ db, codeKey }, asked, ports.clock.now());
      if (typeof signedIn === "string") throw new Refusal(smsRefusals[signedIn]);
      context.log.info(
        { user: signedIn.user.id },
        signedIn.isNew ? "signed up by phone" : "signed in by phone",
      );
      return answerSignedIn(context, signedIn, signedIn.isNew ? undefined : LoginToExistingAccount);
    }),
  ];
}
