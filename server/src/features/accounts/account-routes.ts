// The signed-in account: who it is, its settings and quota, signing out (wire-contract.md §9).
import { currentUser, featureQuota, logout } from "@plumb/protocol/wire/accounts";
import { Global } from "@plumb/protocol/wire/global-codes";
import {
  logoutAllSessions,
  updateUserSettings,
  userSettings,
  type UserSettings,
} from "@plumb/protocol/wire/own-account";
import type { Deps } from "../../platform/deps.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { GlobalRefusal } from "../../platform/refusal.ts";
import { readQuota } from "../guard/thinking-quota.ts";
import { listIdentitiesOf } from "./identity-store.ts";
import type { LoginTokens } from "./login-tokens.ts";
import { findUser, setTrainingAllowed, type UserRow } from "./user-store.ts";
import { presentUser } from "./present-user.ts";

const API = { rate: "api", accountStatus: "any" } as const;

export function accountRoutes({ config, db, ports }: Deps, tokens: LoginTokens): Route[] {
  const quotaOf = (userId: string) =>
    readQuota(db.kysely, config.thinkingQuotaPerDay, userId, ports.clock.now());

  async function requireUser(userId: string): Promise<UserRow> {
    const user = await findUser(db.kysely, { id: userId });
    if (user === undefined) throw new GlobalRefusal(Global.InvalidToken);
    return user;
  }

  async function presentSettings(userId: string): Promise<UserSettings> {
    const user = await requireUser(userId);
    return { training_allowed: user.training_allowed !== 0, thinking_quota: await quotaOf(userId) };
  }

  return [
    route(currentUser, API, async (context) => {
      const user = await requireUser(context.user.id);
      const presented = presentUser(user, context.token ?? "", {
        nowMs: ports.clock.now(),
        minAge: config.minAge,
        identities: await listIdentitiesOf(db.kysely, user.id),
      });
      return { ...presented, user: presented };
    }),
    route(logout, API, async ({ user }) => {
      await tokens.revoke(user.id, user.tokenHash);
      return null;
    }),
    route(logoutAllSessions, API, async ({ user, log }) => {
      await tokens.revokeAll(user.id);
      log.info({ user: user.id }, "signed out everywhere");
      return null;
    }),
    route(featureQuota, API, async ({ user }) => ({ thinking: await quotaOf(user.id) })),
    route(userSettings, API, async ({ user }) => presentSettings(user.id)),
    route(updateUserSettings, API, async ({ user }, { training_allowed }) => {
      if (training_allowed !== null) await setTrainingAllowed(db.kysely, user.id, training_allowed);
      return presentSettings(user.id);
    }),
  ];
}
