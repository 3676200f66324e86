// Codes by mail, signing up and signing in (wire-contract.md §7.5, §8.1, §8.3).
import {
  isEmail,
  isVerificationCode,
  newPasswordProblem,
  normaliseEmail,
} from "@plumb/protocol/rules/sign-in-rules";
import { type SignedIn } from "@plumb/protocol/wire/accounts";
import {
  createEmailVerificationCode,
  EmailCodeRefusal,
  login,
  register,
  RegisterRefusal,
} from "@plumb/protocol/wire/sign-in";
import type { Deps } from "../../platform/deps.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { Answer } from "../../platform/http/answers.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import { siteOf } from "../../platform/network-of.ts";
import type { RateLimits } from "../guard/rate-limit.ts";
import { DeviceCookies } from "./device-cookie.ts";
import { listIdentitiesOf } from "./identity-store.ts";
import { PasswordTries } from "./password-tries.ts";
import { presentUser } from "./present-user.ts";
import { sendEmailCode } from "./send-email-code.ts";
import { signIn, type SignedInUser } from "./sign-in.ts";
import { signInOrigin } from "./sign-in-origin.ts";
import { signUpByEmail } from "./sign-up.ts";
import { codeKeyOf } from "./verification-codes.ts";

const LOGIN = { rate: "login", accountStatus: "any" } as const;

export function signInRoutes(deps: Deps, rates: RateLimits): Route[] {
  const { config, db, ports } = deps;
  const codeKey = codeKeyOf(deps.secretKey);
  const tries = new PasswordTries(deps);
  const devices = new DeviceCookies(deps);
  // Addresses are not looked up: everyone has the edition's region.
  const regionOf = () => (config.edition === "mainland" ? "CN" : null);

  /** The account with its new token, and the cookie by which it knows this browser. */
  async function answerSignedIn(context: RequestContext, { user, token }: SignedInUser): Promise<Answer> {
    const signedIn: SignedIn = {
      user: presentUser(user, token, {
        nowMs: ports.clock.now(),
        minAge: config.minAge,
        identities: await listIdentitiesOf(db.kysely, user.id),
      }),
    };
    return Answer.withHeaders(signedIn, devices.headersFor(context, user.id));
  }

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

    route(register, LOGIN, async (context, { payload, device_id: deviceId }) => {
      const { email_verification_code: code, password } = payload;
      const email = normaliseEmail(payload.email);
      if (!isVerificationCode(code)) throw new Refusal(RegisterRefusal.EmailCodeInvalid);
      if (!isEmail(email)) throw new Refusal(RegisterRefusal.InvalidEmailFormat);
      if (newPasswordProblem(password) !== null) throw new Refusal(RegisterRefusal.InvalidPassword);
      if (config.edition === "mainland") throw new Refusal(RegisterRefusal.FromMainland);

      const signedIn = await signUpByEmail(
        { db, codeKey },
        { email, password, code, deviceId, origin: signInOrigin(context, regionOf) },
        ports.clock.now(),
      );
      context.log.info({ user: signedIn.user.id }, "signed up");
      return answerSignedIn(context, signedIn);
    }),

    route(login, LOGIN, async (context, request) => {
      const caller = {
        network: siteOf(context.ip) ?? context.ip,
        deviceFor: (account: string) => devices.find(context, account),
        origin: signInOrigin(context, regionOf),
      };
      const signedIn = await signIn({ db, tries }, request, caller, ports.clock.now());
      context.log.info({ user: signedIn.user.id }, "signed in");
      return answerSignedIn(context, signedIn);
    }),
  ];
}
