// Forgotten passwords, by mail and by phone (wire-contract.md §8.5, §8.6).
import {
  isEmail,
  isVerificationCode,
  newPasswordProblem,
  normaliseEmail,
} from "@plumb/protocol/rules/sign-in-rules";
import {
  emailResetPassword,
  mobileResetPassword,
  ResetPasswordRefusal,
} from "@plumb/protocol/wire/reset-password";
import type { BindingKind } from "@plumb/protocol/wire/bindings";
import type { Deps } from "../../platform/deps.ts";
import { type Route, route } from "../../platform/http/route.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import type { JobRunner } from "../../platform/jobs/job-runner.ts";
import { Refusal } from "../../platform/refusal.ts";
import { CodeRequesters } from "./code-requesters.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { readMobile } from "./read-mobile.ts";
import { resetPassword, type ResetOutcome, type ResetRequest } from "./reset-password.ts";
import { codeKeyOf, emailCodeKey, smsCodeKey } from "./verification-codes.ts";

const LOGIN = { rate: "login", accountStatus: "any" } as const;

const refusals = {
  wrong: ResetPasswordRefusal.CodeWrong,
  expired: ResetPasswordRefusal.ResetExpired,
  unknown: ResetPasswordRefusal.NotRegistered,
  banned: ResetPasswordRefusal.UserIsBanned,
} as const satisfies Record<Extract<ResetOutcome, string>, unknown>;

export function resetRoutes(deps: Deps, jobs: JobRunner): Route[] {
  const { db, ports } = deps;
  const codeKey = codeKeyOf(deps.secretKey);
  const requesters = new CodeRequesters(deps);

  async function reset(
    context: RequestContext,
    { key, who }: Pick<ResetRequest, "key" | "who">,
    { code, password, unbind }: { code: string; password: string; unbind: BindingKind[] | null },
  ): Promise<object> {
    if (newPasswordProblem(password) !== null) throw new Refusal(ResetPasswordRefusal.InvalidPassword);
    if (await isCommonPassword(password)) throw new Refusal(ResetPasswordRefusal.PasswordTooCommon);
    if (!isVerificationCode(code)) throw new Refusal(ResetPasswordRefusal.CodeWrong);
    const { requester } = await requesters.identify(context, who);
    const request = { key, who, code, requester, password, unbind: unbind ?? [], locale: context.locale };
    const outcome = await resetPassword({ db, codeKey }, request, ports.clock.now());
    if (typeof outcome === "string") throw new Refusal(refusals[outcome]);
    jobs.wake();
    context.log.info({ user: outcome.userId }, "new password, signed out everywhere");
    return {};
  }

  return [
    route(
      emailResetPassword,
      LOGIN,
      async (context, { email: given, email_verification_code: code, password, unbind }) => {
        const email = normaliseEmail(given);
        if (!isEmail(email)) throw new Refusal(ResetPasswordRefusal.ResetExpired);
        const target = { key: emailCodeKey(email, "reset_password"), who: { email } };
        return reset(context, target, { code, password, unbind });
      },
    ),
    route(mobileResetPassword, LOGIN, async (context, request) => {
      const { sms_verification_code: code, password, unbind } = request;
      const mobile = readMobile(request, ResetPasswordRefusal.InvalidMobileNumber);
      return reset(
        context,
        { key: smsCodeKey(mobile, "reset_password"), who: { mobile } },
        { code, password, unbind },
      );
    }),
  ];
}
