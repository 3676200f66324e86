// Codes by mail, signing up and signing in (wire.md §7.5, §8.1, §8.3).
import {
  isEmail,
  isVerificationCode,
  newPasswordProblem,
  normaliseEmail,
} from "@plumb/protocol/rules/sign-in-rules";
import {
  createEmailVerificationCode,
  EmailCodeRefusal,
  login,
  register,
  RegisterRefusal,
} from "@plumb/protocol/wire/accounts";
import type { Deps } from "../../platform/deps.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { RateLimits } from "../guard/rate-limit.ts";
import { sendEmailCode } from "./send-email-code.ts";
import { signIn } from "./sign-in.ts";
import { signUpByEmail } from "./sign-up.ts";
import { codeKeyOf } from "./verification-codes.ts";

export function signInRoutes({ config, db, ports, secretKey }: Deps, rates: RateLimits): Route[] {
  const codeKey = codeKeyOf(secretKey);
  return [
    route(createEmailVerificationCode, { rate: "code", accountStatus: "any" }, async (context, request) => {
      const email = normaliseEmail(request.email);
      if (!isEmail(email)) throw new Refusal(EmailCodeRefusal.InvalidEmailFormat);
      return sendEmailCode(
        { db, rates, mailer: ports.mailer, codeKey, log: context.log },
        {
          email,
          scenario: request.scenario,
          deviceId: request.device_id,
          locale: request.locale ?? context.locale,
        },
        ports.clock.now(),
      );
    }),

    route(register, { rate: "login", accountStatus: "any" }, async (context, request) => {
      const { email_verification_code: code, password } = request.payload;
      const email = normaliseEmail(request.payload.email);
      if (!isVerificationCode(code)) throw new Refusal(RegisterRefusal.EmailCodeInvalid);
      if (!isEmail(email)) throw new Refusal(RegisterRefusal.InvalidEmailFormat);
      if (newPasswordProblem(password) !== null) throw new Refusal(RegisterRefusal.InvalidPassword);
      if (config.edition === "mainland") throw new Refusal(RegisterRefusal.FromMainland);
      const signedIn = await signUpByEmail(
        { db, codeKey },
        { email, password, code, deviceId: request.device_id },
        ports.clock.now(),
      );
      context.log.info({ user: signedIn.user.id }, "signed up");
      return signedIn;
    }),

    route(login, { rate: "login", accountStatus: "any" }, async (context, request) => {
      const signedIn = await signIn({ db, rates }, request, { ip: context.ip, nowMs: ports.clock.now() });
      context.log.info({ user: signedIn.user.id }, "signed in");
      return signedIn;
    }),
  ];
}

/** A line for the operator at start when codes can only go to the outbox of a public server. */
export function warnWithoutMailer({ config, ports, log }: Pick<Deps, "config" | "ports" | "log">): void {
  if (config.production && ports.mailer.kind === "outbox") {
    log.warn(
      "No mailer is set and sign-up is open: verification codes only go to this log and DATA_DIR/outbox.jsonl.",
    );
  }
}
