// One's own sign-ins, birthday, phone, and the end of the account (wire-contract.md §9, §19.1, §19.2).
import { LIMITS } from "@plumb/protocol/limits";
import { isVerificationCode } from "@plumb/protocol/rules/sign-in-rules";
import { Global } from "@plumb/protocol/wire/global-codes";
import {
  bindMobile as bindMobileCall,
  BindMobileRefusal,
  endSignIn,
  EndSignInRefusal,
  setBirthday,
  SetBirthdayRefusal,
  signIns,
  unregister,
  UnregisterRefusal,
} from "@plumb/protocol/wire/own-account";
import type { Deps } from "../../platform/deps.ts";
import { type Route, route } from "../../platform/http/route.ts";
import type { JobRunner } from "../../platform/jobs/job-runner.ts";
import { GlobalRefusal, Refusal } from "../../platform/refusal.ts";
import { toSeconds } from "../../platform/seconds.ts";
import type { RateLimits } from "../guard/rate-limit.ts";
import { isPossibleBirthday, needsBirthday } from "../moderation/age-rule.ts";
import { bindMobile } from "./bind-mobile.ts";
import { CodeRequesters } from "./code-requesters.ts";
import { forgetAccount } from "./forget-account.ts";
import { listTokensOf } from "./login-token-store.ts";
import type { LoginTokens } from "./login-tokens.ts";
import { listIdentitiesOf } from "./identity-store.ts";
import { presentUser } from "./present-user.ts";
import { requireConfirmed } from "./confirm-identity.ts";
import { readMobile } from "./read-mobile.ts";
import { codeKeyOf } from "./verification-codes.ts";
import { findUser, keepBirthday } from "./user-store.ts";

const API = { rate: "api", accountStatus: "any" } as const;
/** How long an answer waits for the deletion: of what is very much the rest goes on after it. */
const DELETION_WAIT_MS = 5000;

const BINDING = {
  wrong: BindMobileRefusal.CodeWrong,
  expired: BindMobileRefusal.CodeExpired,
  bound: BindMobileRefusal.AlreadyBound,
  taken: BindMobileRefusal.MobileAlreadyRegistered,
} as const;

export function ownAccountRoutes(
  deps: Deps,
  { tokens, rates, jobs }: { tokens: LoginTokens; rates: RateLimits; jobs: JobRunner },
): Route[] {
  const { config, db, ports } = deps;
  const codeKey = codeKeyOf(deps.secretKey);
  const requesters = new CodeRequesters(deps);

  return [
    route(signIns, API, async ({ user }) => {
      const found = await listTokensOf(db.kysely, user.id, {
        nowMs: ports.clock.now(),
        count: LIMITS.signInsListed,
      });
      return {
        sign_ins: found.map((row) => ({
          id: row.sign_in_id,
          current: row.token_hash === user.tokenHash,
          client: row.client,
          region: row.region,
          created_at: toSeconds(row.created_at),
          last_used_at: toSeconds(row.last_used_at),
        })),
      };
    }),

    route(endSignIn, API, async ({ user, log }, { id }) => {
      if (!(await tokens.revokeSignIn(user.id, id))) throw new Refusal(EndSignInRefusal.SignInNotFound);
      log.info({ user: user.id }, "a sign-in was ended");
      return null;
    }),

    route(setBirthday, API, async ({ user, log }, { year, month }) => {
      const nowMs = ports.clock.now();
      await requireConfirmed(db.kysely, user, nowMs);
      if (!isPossibleBirthday(year, month, LIMITS.ageGateFirstYear, nowMs))
        throw new Refusal(SetBirthdayRefusal.InvalidDate);
      await keepBirthday(db.kysely, user.id, { year, month });
      const kept = await findUser(db.kysely, { id: user.id });
      if (kept === undefined || needsBirthday(kept, config.minAge, nowMs)) {
        await tokens.revokeAll(user.id);
        log.info({ user: user.id }, "too young: signed out everywhere");
        throw new Refusal(SetBirthdayRefusal.TooYoung);
      }
      tokens.readAnew(user.id);
      return null;
    }),

    route(bindMobileCall, { rate: "login", accountStatus: "any" }, async (context, request) => {
      const { user, token, log, locale } = context;
      const nowMs = ports.clock.now();
      await requireConfirmed(db.kysely, user, nowMs);
      const mobile = readMobile(request, BindMobileRefusal.InvalidMobileNumber);
      const code = request.sms_verification_code;
      if (!isVerificationCode(code)) throw new Refusal(BindMobileRefusal.CodeWrong);
      const { requester } = await requesters.identify(context, { mobile });
      const binding = { userId: user.id, mobile, code, requester, locale };
      const bound = await bindMobile({ db, codeKey }, binding, nowMs);
      if (bound === "gone") throw new GlobalRefusal(Global.InvalidToken);
      if (typeof bound === "string") throw new Refusal(BINDING[bound]);
      // The very next message is to go through.
      tokens.readAnew(user.id);
      jobs.wake();
      log.info({ user: user.id }, "a phone was bound");
      const identities = await listIdentitiesOf(db.kysely, user.id);
      return { user: presentUser(bound, token ?? "", { nowMs, minAge: config.minAge, identities }) };
    }),

    route(
      unregister,
      { rate: "delete", accountStatus: "any", banned: UnregisterRefusal.UserIsBanned },
      async ({ user, log }) => {
        const found = await findUser(db.kysely, { id: user.id });
        if (found === undefined) throw new Refusal(UnregisterRefusal.NotFound);
        await requireConfirmed(db.kysely, user, ports.clock.now());
        const targets = [found.email, found.mobile].filter((target) => target !== null);
        const nowMs = ports.clock.now();
        if (!(await rates.countDeletion(user.id, targets))) throw new Refusal(UnregisterRefusal.TooFrequent);
        log.info({ user: user.id }, "an account is deleted by its owner");
        const forgotten = forgetAccount(deps, jobs, user.id).catch(async (error: unknown) => {
          await rates.uncountDeletion(targets, nowMs);
          throw error;
        });
        if ((await within(forgotten)) === false) throw new Refusal(UnregisterRefusal.NotFound);
        // Its tokens end here at once; other processes hear of it.
        await tokens.revokeAll(user.id);
        return null;
      },
    ),
  ];

  /** What comes of it, or true when it takes longer than an answer should. */
  function within(forgotten: Promise<boolean>): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const cancel = ports.clock.after(DELETION_WAIT_MS, () => resolve(true));
      forgotten.then(resolve, reject).finally(cancel);
    });
  }
}
