// Codes by mail and by text message: sent, and checked before a reset (wire-contract.md §7.4–§7.7).
import {
  isEmail,
  isPhone,
  isServedAreaCode,
  isVerificationCode,
  normaliseEmail,
} from "@plumb/protocol/rules/sign-in-rules";
import {
  checkEmailCode,
  CheckCodeRefusal,
  type CodeChecked,
  checkSmsCode,
  createEmailVerificationCode,
  createSmsVerificationCode,
  EmailCodeRefusal,
  SmsCodeRefusal,
} from "@plumb/protocol/wire/verification-codes";
import type { Deps } from "../../platform/deps.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { CodeScenario } from "../../ports/mailer.ts";
import type { RateLimits } from "../guard/rate-limit.ts";
import { regionOf } from "../guard/region-of.ts";
import { requireCaptcha } from "../guard/require-captcha.ts";
import { isBanned } from "../moderation/account-status.ts";
import { boundSince, presentBinding } from "./bindings.ts";
import { mayRegister } from "./email-domains.ts";
import { listIdentitiesOf } from "./identity-store.ts";
import { mustUsePhone } from "./phone-regions.ts";
import { readMobile } from "./read-mobile.ts";
import { sendCode } from "./send-code.ts";
import { findUser, type UserKey } from "./user-store.ts";
import type { CodeKey } from "./verification-code-store.ts";
import { checkCode, codeKeyOf, emailCodeKey, smsCodeKey } from "./verification-codes.ts";

const CODE = { rate: "code", accountStatus: "any" } as const;
const LOGIN = { rate: "login", accountStatus: "any" } as const;

/** Why a text message is sent, as the outbox and the gateway are told. */
function scenarioOf(said: string | null): CodeScenario {
  const known = ["register", "reset_password", "bind_mobile", "confirm"] as const;
  return known.find((scenario) => scenario === said) ?? "login";
}

export function codeRoutes(deps: Deps, rates: RateLimits): Route[] {
  const { config, db, ports } = deps;
  const codeKey = codeKeyOf(deps.secretKey);

  /**
   * What was bound since the last reset. Throws unless the code is right and the account may have a new password. Consumes
   * nothing.
   */
  async function checkReset(key: CodeKey, who: UserKey, code: string): Promise<CodeChecked> {
    const presented = { code, deviceId: null, consume: false };
    const outcome = isVerificationCode(code)
      ? await db.transaction((trx) => checkCode(db, trx, codeKey, key, presented, ports.clock.now()))
      : "wrong";
    if (outcome === "expired") throw new Refusal(CheckCodeRefusal.CodeExpired);
    if (outcome === "wrong") throw new Refusal(CheckCodeRefusal.CodeWrong);
    const user = await findUser(db.kysely, who);
    if (user === undefined) throw new Refusal(CheckCodeRefusal.NotRegistered);
    if (isBanned(user)) throw new Refusal(CheckCodeRefusal.UserIsBanned);
    const identities = await listIdentitiesOf(db.kysely, user.id);
    const added = boundSince(user, identities, key.channel === "email" ? "email" : "phone");
    return { bound_since: added.map(presentBinding) };
  }

  return [
    route(createEmailVerificationCode, CODE, async (context, request) => {
      const email = normaliseEmail(request.email);
      const { scenario } = request;
      if (!isEmail(email)) throw new Refusal(EmailCodeRefusal.InvalidEmailFormat);
      // Nobody gets a mail with a code that registering would refuse.
      if (scenario === "register") {
        if (config.signUp !== "open") throw new Refusal(EmailCodeRefusal.RegistrationClosed);
        if (mustUsePhone(config, regionOf(deps, context))) throw new Refusal(EmailCodeRefusal.FromMainland);
        if (!mayRegister(config, email)) throw new Refusal(EmailCodeRefusal.EmailDomainNotWhitelisted);
      }
      await requireCaptcha(deps, request, context.ip, EmailCodeRefusal.CaptchaFailed);
      const locale = request.locale ?? context.locale;
      return sendCode(
        { db, rates, codeKey, log: context.log },
        {
          key: emailCodeKey(email, scenario),
          deviceId: request.device_id,
          send: (code) => ports.mailer.sendCode({ to: email, code, scenario, locale }),
          tooFrequent: EmailCodeRefusal.EmailSendTooFrequent,
          notSent: EmailCodeRefusal.EmailCloudError,
        },
        ports.clock.now(),
      );
    }),

    route(createSmsVerificationCode, CODE, async (context, request) => {
      const mobile = request.mobile_number.trim();
      if (mobile === "") throw new Refusal(SmsCodeRefusal.NoMobileNumber);
      if (!isPhone(mobile) || !isServedAreaCode(request.area_code))
        throw new Refusal(SmsCodeRefusal.InvalidMobileNumber);
      await requireCaptcha(deps, request, context.ip, SmsCodeRefusal.CaptchaFailed);
      const locale = request.locale ?? context.locale;
      const scenario = scenarioOf(request.scenario);
      return sendCode(
        { db, rates, codeKey, log: context.log },
        {
          key: smsCodeKey(mobile),
          deviceId: request.device_id,
          send: (code) => ports.smsSender.sendCode({ to: `+86${mobile}`, code, scenario, locale }),
          tooFrequent: SmsCodeRefusal.SmsSendTooFrequent,
          notSent: SmsCodeRefusal.SmsCloudError,
        },
        ports.clock.now(),
      );
    }),

    route(checkEmailCode, LOGIN, async (_context, request) => {
      const email = normaliseEmail(request.email);
      return checkReset(emailCodeKey(email, "reset_password"), { email }, request.email_verification_code);
    }),

    route(checkSmsCode, LOGIN, async (_context, request) => {
      const mobile = readMobile(request, CheckCodeRefusal.InvalidMobileNumber);
      return checkReset(smsCodeKey(mobile), { mobile }, request.sms_verification_code);
    }),
  ];
}
