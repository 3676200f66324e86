// The forms with a code: asking for one, signing up and in with it, and a forgotten password.
import { LIMITS } from "@plumb/protocol/limits";
import { isPhone } from "@plumb/protocol/rules/sign-in-rules";
import { ConfirmCodeRefusal, sendConfirmCode } from "@plumb/protocol/wire/account-security";
import type { SignedIn } from "@plumb/protocol/wire/accounts";
import { RequestHeader } from "@plumb/protocol/wire/headers";
import { emailResetPassword, mobileResetPassword } from "@plumb/protocol/wire/reset-password";
import { loginByMobileSms, register, registerByMobile, SmsLoginRefusal } from "@plumb/protocol/wire/sign-up";
import type { ClientSettings } from "@plumb/protocol/wire/site";
import {
  checkEmailCode,
  checkSmsCode,
  createEmailVerificationCode,
  createSmsVerificationCode,
  EmailCodeRefusal,
  SmsCodeRefusal,
} from "@plumb/protocol/wire/verification-codes";
import type { ApiError, CallResult } from "../api-errors.ts";
import type { CaptchaFace } from "../guard/captcha-face.ts";
import type { Proof, ProofOfWork } from "../guard/proof-of-work.ts";
import type { Locale } from "../site/locale.ts";
import { numberAt } from "../texts.ts";
import type { CheckedCode, CodeForms } from "./accounts-face.ts";
import {
  CHECK_CODE_FAILURES,
  checkCodeFallback,
  EMAIL_CODE_FAILURES,
  emailCodeFallback,
  OWN_CODE_FAILURES,
  REGISTER_BY_MOBILE_FAILURES,
  REGISTER_FAILURES,
  RESET_FAILURES,
  resetFallback,
  signUpFallback,
  SMS_CODE_FAILURES,
  SMS_LOGIN_FAILURES,
  smsCodeFallback,
} from "./code-form-failures.ts";
import type { CodeTimer } from "./code-timer.ts";
import {
  formFailure,
  isRefused,
  loginFallback,
  type Fallback,
  type FailureTable,
  type FormResult,
} from "./sign-in-failures.ts";
import type { SignInDeps } from "./sign-in.ts";
import { undoBinding } from "./undo-binding.ts";
import { withDeviceId } from "./with-device-id.ts";

export interface CodeFormDeps extends SignInDeps {
  proofs: ProofOfWork;
  codeTimer: CodeTimer;
  locale(): Locale;
  captcha: Pick<CaptchaFace, "pass">;
  /** Null until they came. */
  settings(): ClientSettings | null;
}

const AREA_CODE = "+86";
const dayLimit = (moment: number): FormResult => ({
  ok: false,
  field: null,
  text: { key: "codeDayLimit", params: { time: { moment } } },
});
/** What another client tells of how a number was typed; there is nothing to tell. */
const AUDIT = '{"reasons":[]}';

export function createCodeForms(deps: CodeFormDeps): CodeForms {
  const { proofs, auth, account, codeTimer } = deps;
  const api = withDeviceId(deps.api, deps.deviceId);
  const origin = () => ({
    locale: deps.locale(),
    region: deps.settings()?.region ?? null,
    os: "web" as const,
  });

  /** Makes a call that asks for a guest's proof; a proof that cannot be had is a failure of the call. */
  async function withProof<T>(
    path: string,
    call: (headers: Record<string, string>) => Promise<CallResult<T>>,
    failed: (error: ApiError | null) => FormResult,
  ): Promise<{ data: T } | { failure: FormResult }> {
    const proof: Proof = await proofs.guest(path);
    if (!proof.ok) return { failure: failed(proof.error) };
    const result = await call({ [RequestHeader.GuestPowResponse]: proof.header });
    return result.ok ? { data: result.data } : { failure: failed(result.error) };
  }

  function enter({ user }: SignedIn, loginMethod: "code" | "password"): FormResult {
    deps.remember({ loginMethod });
    auth.signedIn(user);
    account.enter();
    return { ok: true };
  }

  const failing = (table: FailureTable, fallback: Fallback) => (error: ApiError | null) =>
    formFailure(error, table, fallback);

  async function signUp(input: Parameters<CodeForms["signUp"]>[0]): Promise<FormResult> {
    const payload = {
      email: input.email.trim(),
      email_verification_code: input.code.trim(),
      password: input.password,
      ...(input.invitation === null ? {} : { invitation: input.invitation }),
    };
    const made = await withProof(
      register.path,
      (headers) => api.call(register, { payload, ...origin() }, { headers }),
      failing(REGISTER_FAILURES, signUpFallback),
    );
    return "data" in made ? enter(made.data, "password") : made.failure;
  }

  async function signUpByPhone(input: Parameters<CodeForms["signUpByPhone"]>[0]): Promise<FormResult> {
    const payload = {
      area_code: AREA_CODE,
      mobile_number: input.mobile,
      sms_verification_code: input.code,
      audit_json_str: AUDIT,
      password: input.password,
    };
    const made = await withProof(
      registerByMobile.path,
      (headers) => api.call(registerByMobile, { payload, ...origin() }, { headers }),
      failing(REGISTER_BY_MOBILE_FAILURES, signUpFallback),
    );
    return "data" in made ? enter(made.data, "password") : made.failure;
  }

  async function signInByCode(input: { mobile: string; code: string }): Promise<FormResult> {
    const body = {
      area_code: AREA_CODE,
      mobile_number: input.mobile,
      sms_verification_code: input.code,
      ...origin(),
    };
    const made = await withProof(
      loginByMobileSms.path,
      (headers) => api.call(loginByMobileSms, body, { headers }),
      (error) => {
        if (error !== null && isRefused(error, SmsLoginRefusal.UserIsBanned))
          account.leave("banned", "leave");
        return formFailure(error, SMS_LOGIN_FAILURES, loginFallback);
      },
    );
    return "data" in made ? enter(made.data, "code") : made.failure;
  }

  /** Starts the timer too where the server says that a code was sent less than a minute ago. */
  async function sendCode(input: Parameters<CodeForms["sendCode"]>[0]): Promise<FormResult> {
    const { scenario, timer, invitation = null } = input;
    const target = input.target.trim();
    const byPhone = isPhone(target);
    const captcha = await deps.captcha.pass();
    if (!captcha.ok) return { ok: false, field: null, text: captcha.text };
    const restart = (data: unknown): void =>
      codeTimer.start(timer, numberAt(data, "send_window_secs") || LIMITS.codeSendWindowSecs, target);
    const common = { locale: deps.locale(), ...captcha.fields };

    const sent = await withProof(
      byPhone ? createSmsVerificationCode.path : createEmailVerificationCode.path,
      (headers) =>
        byPhone
          ? api.call(createSmsVerificationCode, { mobile_number: target, scenario, ...common }, { headers })
          : api.call(
              createEmailVerificationCode,
              {
                email: target,
                scenario: scenario === "reset_password" ? scenario : "register",
                ...(invitation === null ? {} : { invitation }),
                ...common,
              },
              { headers },
            ),
      (error) => {
        const tooSoon = byPhone ? SmsCodeRefusal.SmsSendTooFrequent : EmailCodeRefusal.EmailSendTooFrequent;
        if (error?.kind === "refused" && isRefused(error, tooSoon)) {
          const wait = numberAt(error.data, "send_window_secs");
          // The target has had its codes of the day. Another target may have one: no countdown holds the button back.
          if (wait > LIMITS.codeSendWindowSecs) return dayLimit(codeTimer.momentIn(wait));
          restart(error.data);
        }
        if (!byPhone) return formFailure(error, EMAIL_CODE_FAILURES, emailCodeFallback);
        const unreached = error?.kind === "network";
        return formFailure(unreached ? null : error, SMS_CODE_FAILURES, smsCodeFallback);
      },
    );
    if (!("data" in sent)) return sent.failure;
    restart(sent.data);
    return { ok: true };
  }

  async function sendOwnCode(channel: "email" | "sms"): Promise<FormResult> {
    const timer = channel === "email" ? "ownEmail" : "ownPhone";
    const sent = await deps.api.call(sendConfirmCode, { channel, locale: deps.locale() });
    const tooSoon = !sent.ok && isRefused(sent.error, ConfirmCodeRefusal.TooFrequent);
    if (sent.ok || tooSoon) {
      const data = sent.ok ? sent.data : sent.error.kind === "refused" ? sent.error.data : null;
      const wait = numberAt(data, "send_window_secs") || LIMITS.codeSendWindowSecs;
      if (wait > LIMITS.codeSendWindowSecs) return dayLimit(codeTimer.momentIn(wait));
      codeTimer.start(timer, wait, "");
    }
    return sent.ok ? { ok: true } : formFailure(sent.error, OWN_CODE_FAILURES, smsCodeFallback);
  }

  async function checkCode({ target, code }: { target: string; code: string }): Promise<CheckedCode> {
    const result = isPhone(target)
      ? await api.call(checkSmsCode, {
          area_code: AREA_CODE,
          mobile_number: target,
          sms_verification_code: code,
        })
      : await api.call(checkEmailCode, { email: target, email_verification_code: code });
    if (result.ok) return { ok: true, boundSince: result.data.bound_since };
    return formFailure(result.error, CHECK_CODE_FAILURES, checkCodeFallback);
  }

  async function resetPassword(input: Parameters<CodeForms["resetPassword"]>[0]): Promise<FormResult> {
    const { target, code, password } = input;
    // A reset that removes nothing is the one that clients have always made.
    const unbind = input.unbind.length === 0 ? null : [...input.unbind];
    const result = isPhone(target)
      ? await api.call(mobileResetPassword, {
          area_code: AREA_CODE,
          mobile_number: target,
          sms_verification_code: code,
          password,
          unbind,
        })
      : await api.call(emailResetPassword, {
          email: target,
          email_verification_code: code,
          password,
          unbind,
        });
    return result.ok ? { ok: true } : formFailure(result.error, RESET_FAILURES, resetFallback);
  }

  return {
    signUp,
    signUpByPhone,
    signInByCode,
    sendCode,
    sendOwnCode,
    checkCode,
    resetPassword,
    undoBinding: (token) => undoBinding(deps, token),
  };
}
