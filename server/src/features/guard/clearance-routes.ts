// The end of a bot challenge (wire-contract.md §6.4).
import { clearance, ClearanceRefusal } from "@plumb/protocol/wire/clearance";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { Deps } from "../../platform/deps.ts";
import { Answer } from "../../platform/http/answers.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { GlobalRefusal, Refusal } from "../../platform/refusal.ts";
import type { Clearances } from "./clearances.ts";
import { passesCaptcha } from "./require-captcha.ts";

/** Answers that are judged at once: each may be a question to somebody else's server, and nothing is known of who asks. */
const JUDGED_AT_ONCE = 20;

export function clearanceRoutes(deps: Deps, clearances: Clearances): Route[] {
  const { challenge } = deps.config;
  let judged = 0;
  return [
    route(
      clearance,
      { rate: "guest", accountStatus: "any", endsChallenge: true },
      async (context, answer) => {
        if (challenge === null) throw new Refusal(ClearanceRefusal.ChallengeFailed);
        if (judged >= JUDGED_AT_ONCE) throw new GlobalRefusal(Global.ServerBusy, { retryAfter: 1 });
        judged += 1;
        try {
          const passes = await passesCaptcha(deps, challenge.provider, answer, context.ip);
          if (!passes) throw new Refusal(ClearanceRefusal.ChallengeFailed);
        } finally {
          judged -= 1;
        }
        const { expireAt, headers } = clearances.give(context);
        return Answer.withHeaders({ expire_at: expireAt }, headers);
      },
    ),
  ];
}
