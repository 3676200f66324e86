// Forgotten passwords, by mail and by phone (wire-contract.md §8.5, §8.6).
import { isVerificationCode, newPasswordProblem, normaliseEmail } from "@plumb/protocol/rules/sign-in-rules";
import {
  emailResetPassword,
  mobileResetPassword,
  ResetPasswordRefusal,
} from "@plumb/protocol/wire/reset-password";
import type { Deps } from "../../platform/deps.ts";
import { type Route, route } from "../../platform/http/route.ts";
import type { Logger } from "../../platform/logger.ts";
import { Refusal } from "../../platform/refusal.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { readMobile } from "./read-mobile.ts";
import { resetPassword, type ResetOutcome } from "./reset-password.ts";
import type { UserKey } from "./user-store.ts";
import type { CodeKey } from "./verification-code-store.ts";
import { codeKeyOf, emailCodeKey, smsCodeKey } from "./verification-codes.ts";

const LOGIN = { rate: "login", accountStatus: "any" } as const;

const refusals = {
  wrong: ResetPasswordRefusal.CodeWrong,
  expired: ResetPasswordRefusal.ResetExpired,
  unknown: ResetPasswordRefusal.NotRegistered,
  banned: ResetPasswordRefusal.UserIsBanned,
} as const satisfies Record<Extract<ResetOutcome, string>, unknown>;

export function resetRoutes(deps: Deps): Route[] {
  const { db, ports } = deps;
  const codeKey = codeKeyOf(deps.secretKey);

  async function reset(
    log: Logger,
    { key, who }: { key: CodeKey; who: UserKey },
    { code, password }: { code: string; password: string },
  ): Promise<object> {
    if (newPasswordProblem(password) !== null) throw new Refusal(ResetPasswordRefusal.InvalidPassword);
    if (await isCommonPassword(password)) throw new Refusal(ResetPasswordRefusal.PasswordTooCommon);
    if (!isVerificationCode(code)) throw new Refusal(ResetPasswordRefusal.CodeWrong);
    const request = { key, who, code, password };
    const outcome = await resetPassword({ db, codeKey }, request, ports.clock.now());
    if (typeof outcome === "string") throw new Refusal(refusals[outcome]);
    log.info({ user: outcome.userId }, "new password, signed out everywhere");
    return {};
  }

  return [
    route(
      emailResetPassword,
      LOGIN,
      async ({ log }, { email: given, email_verification_code: code, password }) => {
        const email = normaliseEmail(given);
        return reset(log, { key: emailCodeKey(email, "reset_password"), who: { email } }, { code, password });
      },
    ),
    route(mobileResetPassword, LOGIN, async ({ log }, request) => {
      const { sms_verification_code: code, password } = request;
      const mobile = readMobile(request, ResetPasswordRefusal.InvalidMobileNumber);
      return reset(log, { key: smsCodeKey(mobile), who: { mobile } }, { code, password });
    }),
  ];
}
