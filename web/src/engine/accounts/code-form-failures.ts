// What the forms with a code show for each refusal (wire-contract.md §18.4).
import { ConfirmCodeRefusal } from "@plumb/protocol/wire/account-security";
import { ResetPasswordRefusal } from "@plumb/protocol/wire/reset-password";
import { RegisterByMobileRefusal, RegisterRefusal, SmsLoginRefusal } from "@plumb/protocol/wire/sign-up";
import { CheckCodeRefusal, EmailCodeRefusal, SmsCodeRefusal } from "@plumb/protocol/wire/verification-codes";
import { withCode, type FailureTable, type FormField } from "./sign-in-failures.ts";

type Failure = FailureTable extends ReadonlyMap<number, infer F> ? F : never;

/** A refusal belongs to a field, or to the form as a whole (null). */
const at = (field: FormField | null, text: Failure["text"]): Failure => ({ field, text });

const suspended = at(null, { key: "accountSuspended" });
const codeExpired = at("code", { key: "codeExpired" });
const codeWrong = at("code", { key: "codeWrong" });
const codeFormat = at("code", { key: "codeFormatInvalid" });
const phoneInvalid = at("mobile", { key: "phoneInvalid" });
const emailInvalid = at("email", { key: "emailInvalid" });
const passwordInvalid = at("password", { key: "passwordInvalid" });
const passwordCommon = at("password", { key: "passwordCommon" });
const closed = at(null, { key: "registrationClosed" });
const notInRegion = at(null, { key: "emailNotInRegion" });
const onlyMainland = at(null, { key: "onlyMainland" });
const notRegistered = at(null, { key: "notRegistered" });
const environment = at(null, { key: "deviceEnvironmentError" });
const tooFrequent = at(null, { key: "codeTooFrequent" });
const domain = at(null, { key: "emailDomainNotSupported" });

export const EMAIL_CODE_FAILURES: FailureTable = new Map([
  [EmailCodeRefusal.EmailSendTooFrequent.code, tooFrequent],
  [EmailCodeRefusal.CaptchaFailed.code, environment],
  [EmailCodeRefusal.InvalidEmailFormat.code, emailInvalid],
  [EmailCodeRefusal.EmailDomainNotWhitelisted.code, domain],
  [EmailCodeRefusal.RegistrationClosed.code, closed],
  [EmailCodeRefusal.FromMainland.code, notInRegion],
  [EmailCodeRefusal.EmailCloudError.code, at(null, { key: "emailSendFailed" })],
]);
export const emailCodeFallback = withCode({ key: "emailSendFailed" }, { key: "emailSendFailedCode" });

export const SMS_CODE_FAILURES: FailureTable = new Map([
  [SmsCodeRefusal.SmsSendTooFrequent.code, tooFrequent],
  [SmsCodeRefusal.CaptchaFailed.code, environment],
  [SmsCodeRefusal.NoMobileNumber.code, at("mobile", { key: "phoneEmpty" })],
  [SmsCodeRefusal.InvalidMobileNumber.code, phoneInvalid],
  [SmsCodeRefusal.SmsCloudError.code, at(null, { key: "smsSendFailed" })],
]);
export const OWN_CODE_FAILURES: FailureTable = new Map([
  [ConfirmCodeRefusal.TooFrequent.code, tooFrequent],
  [ConfirmCodeRefusal.WayNotAvailable.code, at(null, { key: "confirmWayGone" })],
  [ConfirmCodeRefusal.NotSent.code, at(null, { key: "codeSendFailed" })],
]);
export const smsCodeFallback = withCode({ key: "codeSendFailed" }, { key: "codeSendFailedCode" });

export const REGISTER_FAILURES: FailureTable = new Map([
  [RegisterRefusal.EmailExists.code, at("email", { key: "emailExists" })],
  [RegisterRefusal.EmailCodeInvalid.code, codeFormat],
  [RegisterRefusal.InvalidEmailFormat.code, emailInvalid],
  [RegisterRefusal.InvalidPassword.code, passwordInvalid],
  [RegisterRefusal.RegistrationClosed.code, closed],
  [RegisterRefusal.FromMainland.code, notInRegion],
  [RegisterRefusal.CodeExpired.code, codeExpired],
  [RegisterRefusal.PasscodeFailed.code, codeWrong],
  [RegisterRefusal.EmailDomainNotSupported.code, domain],
  [RegisterRefusal.InvitationInvalid.code, at(null, { key: "invitationInvalid" })],
  [RegisterRefusal.PasswordTooCommon.code, passwordCommon],
]);

export const REGISTER_BY_MOBILE_FAILURES: FailureTable = new Map([
  [RegisterByMobileRefusal.SmsCodeInvalid.code, codeFormat],
  [RegisterByMobileRefusal.MobileAlreadyRegistered.code, at("mobile", { key: "phoneRegistered" })],
  [RegisterByMobileRefusal.InvalidPassword.code, passwordInvalid],
  [RegisterByMobileRefusal.RegistrationClosed.code, closed],
  [RegisterByMobileRefusal.OnlyMainland.code, onlyMainland],
  [RegisterByMobileRefusal.CodeExpired.code, codeExpired],
  [RegisterByMobileRefusal.CodeWrong.code, codeWrong],
  [RegisterByMobileRefusal.InvalidMobileNumber.code, phoneInvalid],
  [RegisterByMobileRefusal.PasswordTooCommon.code, passwordCommon],
]);
export const signUpFallback = withCode({ key: "signUpFailed" }, { key: "signUpFailedCode" });

export const SMS_LOGIN_FAILURES: FailureTable = new Map([
  [SmsLoginRefusal.UserIsBanned.code, suspended],
  [SmsLoginRefusal.RegistrationClosed.code, closed],
  [SmsLoginRefusal.OnlyMainland.code, onlyMainland],
  [SmsLoginRefusal.CodeExpired.code, codeExpired],
  [SmsLoginRefusal.CodeWrong.code, codeWrong],
  [SmsLoginRefusal.InternalError.code, at(null, { key: "loginFailed" })],
  [SmsLoginRefusal.InvalidMobileNumber.code, phoneInvalid],
  [SmsLoginRefusal.SsoError.code, at(null, { key: "loginFailed" })],
]);

export const CHECK_CODE_FAILURES: FailureTable = new Map([
  [CheckCodeRefusal.NotRegistered.code, notRegistered],
  [CheckCodeRefusal.UserIsBanned.code, suspended],
  [CheckCodeRefusal.CodeExpired.code, codeExpired],
  [CheckCodeRefusal.CodeWrong.code, codeWrong],
  [CheckCodeRefusal.InvalidMobileNumber.code, phoneInvalid],
]);
export const checkCodeFallback = withCode({ key: "verificationFailed" }, { key: "verificationFailedCode" });

/** The code's field is on the step before: what is wrong with it is said beside the button. */
export const RESET_FAILURES: FailureTable = new Map([
  [ResetPasswordRefusal.NotRegistered.code, notRegistered],
  [ResetPasswordRefusal.InvalidPassword.code, passwordInvalid],
  [ResetPasswordRefusal.ResetExpired.code, at(null, { key: "resetExpired" })],
  [ResetPasswordRefusal.CodeWrong.code, at(null, { key: "codeWrong" })],
  [ResetPasswordRefusal.UserIsBanned.code, suspended],
  [ResetPasswordRefusal.InvalidMobileNumber.code, at(null, { key: "phoneInvalid" })],
  [ResetPasswordRefusal.PasswordTooCommon.code, passwordCommon],
]);
export const resetFallback = withCode({ key: "resetFailed" }, { key: "resetFailedCode" });
