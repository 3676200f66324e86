// The ways into one's account: shown, removed, and undone by the link of a notice (wire-contract.md §19.8, §19.9).
import {
  accountSecurity,
  ConfirmCodeRefusal,
  sendConfirmCode,
  unbind,
  UnbindRefusal,
  undoBinding as undoBindingCall,
  UndoBindingRefusal,
} from "@plumb/protocol/wire/account-security";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { Deps } from "../../platform/deps.ts";
import { Answer } from "../../platform/http/answers.ts";
import { type Route, route } from "../../platform/http/route.ts";
import type { JobRunner } from "../../platform/jobs/job-runner.ts";
import { GlobalRefusal, Refusal } from "../../platform/refusal.ts";
import { toSeconds } from "../../platform/seconds.ts";
import { bindingsOf, confirmationWays, isNeeded, meansOf, presentBinding } from "./bindings.ts";
import { CodeRequesters, targetOf } from "./code-requesters.ts";
import { ownCodeKey, requireConfirmed } from "./confirm-identity.ts";
import { listIdentitiesOf } from "./identity-store.ts";
import { tokenConfirmedUntil } from "./login-token-store.ts";
import type { LoginTokens } from "./login-tokens.ts";
import { presentUser } from "./present-user.ts";
import { unbindOwn, undoBinding } from "./remove-binding.ts";
import type { CodeSender } from "./send-code.ts";
import { findUser, type UserRow } from "./user-store.ts";

const LOGIN = { rate: "login", accountStatus: "any" } as const;

const unbindRefusals = {
  "not bound": UnbindRefusal.NotBound,
  "last way in": UnbindRefusal.LastWayIn,
} as const;

export function securityRoutes(
  deps: Deps,
  { tokens, sender, jobs }: { tokens: LoginTokens; sender: CodeSender; jobs: JobRunner },
): Route[] {
  const { config, db, ports } = deps;
  const requesters = new CodeRequesters(deps);
  const means = meansOf(ports);

  async function requireUser(id: string): Promise<UserRow> {
    const user = await findUser(db.kysely, { id });
    if (user === undefined) throw new GlobalRefusal(Global.InvalidToken);
    return user;
  }

  return [
    route(accountSecurity, { rate: "api", accountStatus: "any" }, async ({ user: { id, tokenHash } }) => {
      const user = await requireUser(id);
      const identities = await listIdentitiesOf(db.kysely, id);
      const nowMs = ports.clock.now();
      const untilMs = await tokenConfirmedUntil(db.kysely, tokenHash, nowMs);
      return {
        confirmed_until: toSeconds(untilMs),
        ways: confirmationWays(user, identities, means, nowMs),
        bindings: bindingsOf(user, identities).map((binding) => ({
          ...presentBinding(binding),
          removable: binding.kind !== "email" && !isNeeded(user, identities, binding.kind, means, nowMs),
        })),
      };
    }),

    route(sendConfirmCode, { rate: "code", accountStatus: "any" }, async (context, request) => {
      const nowMs = ports.clock.now();
      const key = ownCodeKey(await requireUser(context.user.id), request.channel, nowMs);
      if (key === null) throw new Refusal(ConfirmCodeRefusal.WayNotAvailable);
      const message = { scenario: "confirm", locale: request.locale ?? context.locale } as const;
      const { requester, headers } = await requesters.identify(context, targetOf(key));
      const sent = await sender.send(
        {
          key,
          deviceId: null,
          requester,
          delivery: "told",
          sender: key.channel === "email" ? ports.mailer : ports.smsSender,
          send: (code) =>
            key.channel === "email"
              ? ports.mailer.sendCode({ to: key.target, code, ...message })
              : ports.smsSender.sendCode({ to: `+86${key.target}`, code, ...message }),
          tooFrequent: ConfirmCodeRefusal.TooFrequent,
          notSent: ConfirmCodeRefusal.NotSent,
          log: context.log,
        },
        nowMs,
      );
      return Answer.withHeaders(sent, headers);
    }),

    route(unbind, LOGIN, async ({ user, token, locale, log }, { kind }) => {
      const nowMs = ports.clock.now();
      await requireConfirmed(db.kysely, user, nowMs);
      const removal = { userId: user.id, kind, keepToken: user.tokenHash, locale };
      const left = await unbindOwn(db, removal, means, nowMs);
      if (left === "gone") throw new GlobalRefusal(Global.InvalidToken);
      if (typeof left === "string") throw new Refusal(unbindRefusals[left]);
      tokens.readAnew(user.id);
      jobs.wake();
      log.info({ user: user.id, kind }, "a way in was removed by its owner");
      const identities = await listIdentitiesOf(db.kysely, user.id);
      return { user: presentUser(left, token ?? "", { nowMs, minAge: config.minAge, identities }) };
    }),

    route(undoBindingCall, LOGIN, async ({ log }, { token }) => {
      const undone = await undoBinding(deps, token, means, ports.clock.now());
      if (undone === null) throw new Refusal(UndoBindingRefusal.LinkInvalid);
      tokens.readAnew(undone.userId);
      log.info({ user: undone.userId, kind: undone.kind }, "a binding was undone by its link");
      return { kind: undone.kind };
    }),
  ];
}
