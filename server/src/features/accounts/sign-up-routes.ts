// Signing up by e-mail, by phone and by invitation (wire-contract.md §8.3, §8.4, §19.3).
import {
  isEmail,
  isVerificationCode,
  newPasswordProblem,
  normaliseEmail,
} from "@plumb/protocol/rules/sign-in-rules";
import type { RefusalCode } from "@plumb/protocol/wire/call";
import {
  register,
  registerByMobile,
  RegisterByMobileRefusal,
  RegisterRefusal,
} from "@plumb/protocol/wire/sign-up";
import type { Deps } from "../../platform/deps.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import { regionOf } from "../guard/region-of.ts";
import { createAnswerSignedIn } from "./answer-signed-in.ts";
import { CodeRequesters } from "./code-requesters.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { mayRegister } from "./email-domains.ts";
import { invitationPermit } from "./invitations.ts";
import { mayUsePhone, mustUsePhone } from "./phone-regions.ts";
import { readMobile } from "./read-mobile.ts";
import { signInOrigin } from "./sign-in-origin.ts";
import type { SignedInUser } from "./sign-in.ts";
import { codePermit, signUp, type SignUpRefused } from "./sign-up.ts";
import { codeKeyOf, emailCodeKey, smsCodeKey } from "./verification-codes.ts";

const LOGIN = { rate: "login", accountStatus: "any" } as const;

const byEmail = {
  malformed: RegisterRefusal.EmailCodeInvalid,
  wrong: RegisterRefusal.PasscodeFailed,
  expired: RegisterRefusal.CodeExpired,
  taken: RegisterRefusal.EmailExists,
  uninvited: RegisterRefusal.InvitationInvalid,
};
const byPhone = {
  malformed: RegisterByMobileRefusal.SmsCodeInvalid,
  wrong: RegisterByMobileRefusal.CodeWrong,
  expired: RegisterByMobileRefusal.CodeExpired,
  taken: RegisterByMobileRefusal.MobileAlreadyRegistered,
  // Nobody is invited by phone.
  uninvited: RegisterByMobileRefusal.RegistrationClosed,
};

export function signUpRoutes(deps: Deps): Route[] {
  const { config, db, ports, secretKey } = deps;
  const codeKey = codeKeyOf(secretKey);
  const requesters = new CodeRequesters(deps);
  const answerSignedIn = createAnswerSignedIn(deps);

  function requireMade(
    outcome: Awaited<ReturnType<typeof signUp>>,
    refusals: Record<SignUpRefused, RefusalCode>,
  ): SignedInUser {
    if (typeof outcome === "string") throw new Refusal(refusals[outcome]);
    return outcome;
  }

  return [
    route(register, LOGIN, async (context, { payload, device_id: deviceId }) => {
      const { email_verification_code: code, password, invitation } = payload;
      const email = normaliseEmail(payload.email);
      if (invitation === "" && !isVerificationCode(code)) throw new Refusal(RegisterRefusal.EmailCodeInvalid);
      if (!isEmail(email)) throw new Refusal(RegisterRefusal.InvalidEmailFormat);
      if (newPasswordProblem(password) !== null) throw new Refusal(RegisterRefusal.InvalidPassword);
      if (await isCommonPassword(password)) throw new Refusal(RegisterRefusal.PasswordTooCommon);
      // Whom the operator invites may come from anywhere.
      if (invitation === "") {
        if (config.signUp !== "open") throw new Refusal(RegisterRefusal.RegistrationClosed);
        if (mustUsePhone(config, regionOf(deps, context))) throw new Refusal(RegisterRefusal.FromMainland);
        if (!mayRegister(config, email)) throw new Refusal(RegisterRefusal.EmailDomainNotSupported);
      }
      const nowMs = ports.clock.now();
      const account = { email, mobile: null, password, origin: signInOrigin(deps, context) };
      const { requester } = await requesters.identify(context, { email });
      const byCode = codePermit(
        { db, codeKey },
        emailCodeKey(email, "register"),
        { code, deviceId, requester },
        nowMs,
      );
      const proof = ports.mailer.kind === "outbox" ? null : byCode;
      const permit =
        invitation === ""
          ? byCode
          : invitationPermit({ db, secretKey }, { invitation, email, code: proof }, nowMs);
      const signedIn = requireMade(await signUp(db, permit, account, nowMs), byEmail);
      context.log.info({ user: signedIn.user.id }, "signed up");
      return answerSignedIn(context, signedIn);
    }),

    route(registerByMobile, LOGIN, async (context, { payload, device_id: deviceId }) => {
      const { sms_verification_code: code, password } = payload;
      if (!isVerificationCode(code)) throw new Refusal(RegisterByMobileRefusal.SmsCodeInvalid);
      const mobile = readMobile(payload, RegisterByMobileRefusal.InvalidMobileNumber);
      if (newPasswordProblem(password) !== null) throw new Refusal(RegisterByMobileRefusal.InvalidPassword);
      if (await isCommonPassword(password)) throw new Refusal(RegisterByMobileRefusal.PasswordTooCommon);
      if (config.signUp !== "open") throw new Refusal(RegisterByMobileRefusal.RegistrationClosed);
      if (!mayUsePhone(config, regionOf(deps, context)))
        throw new Refusal(RegisterByMobileRefusal.OnlyMainland);
      const nowMs = ports.clock.now();
      const { requester } = await requesters.identify(context, { mobile });
      const presented = { code, deviceId, requester };
      const permit = codePermit({ db, codeKey }, smsCodeKey(mobile, "register"), presented, nowMs);
      const account = { email: null, mobile, password, origin: signInOrigin(deps, context) };
      const outcome = await signUp(db, permit, account, nowMs);
      const signedIn = requireMade(outcome, byPhone);
      context.log.info({ user: signedIn.user.id }, "signed up by phone");
      return answerSignedIn(context, signedIn);
    }),
  ];
}
