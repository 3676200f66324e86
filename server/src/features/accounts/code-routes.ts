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
import { Answer } from "../../platform/http/answers.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { regionOf } from "../guard/region-of.ts";
import { requireCaptcha } from "../guard/require-captcha.ts";
import { isBanned } from "../moderation/account-status.ts";
import { boundSince, presentBinding } from "./bindings.ts";
import { CodeRequesters, type CodeTarget } from "./code-requesters.ts";
import { mayRegister } from "./email-domains.ts";
import { listIdentitiesOf } from "./identity-store.ts";
import { isInvited } from "./invitations.ts";
import { mayUsePhone, mustUsePhone } from "./phone-regions.ts";
import { readMobile } from "./read-mobile.ts";
import type { CodeOrder, CodeSender } from "./send-code.ts";
import type { UserRow } from "./user-store.ts";
import type { CodeKey } from "./verification-code-store.ts";
import { checkCode, codeKeyOf, emailCodeKey, smsCodeKey, type SmsScenario } from "./verification-codes.ts";

const CODE = { rate: "code", accountStatus: "any" } as const;
const LOGIN = { rate: "login", accountStatus: "any" } as const;

/** What a text message is asked for: the code is good for that alone. Null: not said, or nothing that is known. */
function smsScenarioOf(said: string | null): Exclude<SmsScenario, "confirm"> | null {
  const known = ["login", "register", "reset_password", "bind_mobile"] as const;
  return known.find((scenario) => scenario === said) ?? null;
}

export function codeRoutes(deps: Deps, sender: CodeSender): Route[] {
  const { config, db, ports } = deps;
  const codeKey = codeKeyOf(deps.secretKey);
  const requesters = new CodeRequesters(deps);

  /**
   * What was bound since the last reset. Throws unless the code is right and the account may have a new password. Consumes
   * nothing.
   */
  async function checkReset(
    context: RequestContext,
    key: CodeKey,
    who: CodeTarget,
    code: string,
  ): Promise<CodeChecked> {
    const { requester, account } = await requesters.identify(context, who);
    const presented = { code, deviceId: null, requester, consume: false };
    const outcome = isVerificationCode(code)
      ? await db.transaction((trx) => checkCode(db, trx, codeKey, key, presented, ports.clock.now()))
      : "wrong";
    if (outcome === "expired") throw new Refusal(CheckCodeRefusal.CodeExpired);
    if (outcome === "wrong") throw new Refusal(CheckCodeRefusal.CodeWrong);
    if (account === undefined) throw new Refusal(CheckCodeRefusal.NotRegistered);
    if (isBanned(account)) throw new Refusal(CheckCodeRefusal.UserIsBanned);
    const identities = await listIdentitiesOf(db.kysely, account.id);
    const added = boundSince(account, identities, key.channel === "email" ? "email" : "phone");
    return { bound_since: added.map(presentBinding) };
  }

  return [
    route(createEmailVerificationCode, CODE, async (context, request) => {
      const email = normaliseEmail(request.email);
      const { scenario } = request;
      if (!isEmail(email)) throw new Refusal(EmailCodeRefusal.InvalidEmailFormat);
      const region = regionOf(deps, context);
      const nowMs = ports.clock.now();
      // Whom the operator invites may come from anywhere.
      const invited =
        scenario === "register" &&
        request.invitation !== "" &&
        (await isInvited(deps, { invitation: request.invitation, email }, nowMs));
      const mayEnter =
        invited || (config.signUp === "open" && !mustUsePhone(config, region) && mayRegister(config, email));
      // Nobody gets a mail with a code that registering would refuse.
      if (scenario === "register" && !mayEnter) {
        if (config.signUp !== "open") throw new Refusal(EmailCodeRefusal.RegistrationClosed);
        if (mustUsePhone(config, region)) throw new Refusal(EmailCodeRefusal.FromMainland);
        throw new Refusal(EmailCodeRefusal.EmailDomainNotWhitelisted);
      }
      await requireCaptcha(deps, request, context.ip, EmailCodeRefusal.CaptchaFailed);
      const locale = request.locale ?? context.locale;
      const { requester, account, headers } = await requesters.identify(context, { email });
      const sent = await sender.send(
        {
          key: emailCodeKey(email, scenario),
          deviceId: request.device_id,
          requester,
          delivery: deliveryTo(account, mayEnter),
          sender: ports.mailer,
          send: (code) => ports.mailer.sendCode({ to: email, code, scenario, locale }),
          tooFrequent: EmailCodeRefusal.EmailSendTooFrequent,
          notSent: EmailCodeRefusal.EmailCloudError,
          log: context.log,
        },
        nowMs,
      );
      return Answer.withHeaders(sent, headers);
    }),

    route(createSmsVerificationCode, CODE, async (context, request) => {
      const mobile = request.mobile_number.trim();
      if (mobile === "") throw new Refusal(SmsCodeRefusal.NoMobileNumber);
      if (!isPhone(mobile) || !isServedAreaCode(request.area_code))
        throw new Refusal(SmsCodeRefusal.InvalidMobileNumber);
      await requireCaptcha(deps, request, context.ip, SmsCodeRefusal.CaptchaFailed);
      const locale = request.locale ?? context.locale;
      const scenario = smsScenarioOf(request.scenario);
      const { requester, account, headers } = await requesters.identify(context, { mobile });
      const mayEnter = config.signUp === "open" && mayUsePhone(config, regionOf(deps, context));
      // Who is signed in may bind a number that no account has.
      const mayBind = scenario === "bind_mobile" && context.user !== null;
      const sent = await sender.send(
        {
          key: smsCodeKey(mobile, scenario),
          deviceId: request.device_id,
          requester,
          delivery: deliveryTo(account, mayEnter || mayBind),
          sender: ports.smsSender,
          send: (code) =>
            ports.smsSender.sendCode({ to: `+86${mobile}`, code, scenario: scenario ?? "login", locale }),
          tooFrequent: SmsCodeRefusal.SmsSendTooFrequent,
          notSent: SmsCodeRefusal.SmsCloudError,
          log: context.log,
        },
        ports.clock.now(),
      );
      return Answer.withHeaders(sent, headers);
    }),

    route(checkEmailCode, LOGIN, async (context, request) => {
      const email = normaliseEmail(request.email);
      if (!isEmail(email)) throw new Refusal(CheckCodeRefusal.CodeExpired);
      const key = emailCodeKey(email, "reset_password");
      return checkReset(context, key, { email }, request.email_verification_code);
    }),

    route(checkSmsCode, LOGIN, async (context, request) => {
      const mobile = readMobile(request, CheckCodeRefusal.InvalidMobileNumber);
      const key = smsCodeKey(mobile, "reset_password");
      return checkReset(context, key, { mobile }, request.sms_verification_code);
    }),
  ];
}

/** Where not everybody gets a code, the answer must not tell whether the target has an account. */
function deliveryTo(account: UserRow | undefined, isForEverybody: boolean): CodeOrder["delivery"] {
  if (isForEverybody) return "told";
  return account === undefined ? "nobody" : "untold";
}
