// The signed-in account: who it is, its settings and quota, signing out (wire-contract.md §9).
import {
  currentUser,
  featureQuota,
  logout,
  logoutAllSessions,
  updateUserSettings,
  userSettings,
  type UserSettings,
} from "@plumb/protocol/wire/accounts";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { Deps } from "../../platform/deps.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { GlobalRefusal } from "../../platform/refusal.ts";
import { readQuota } from "../guard/thinking-quota.ts";
import type { LoginTokens } from "./login-tokens.ts";
import { readUser, setTrainingAllowed } from "./user-store.ts";
import type { UserRow } from "./login-token-store.ts";
import { presentUser } from "./present-user.ts";

const API = { rate: "api", accountStatus: "any" } as const;

export function accountRoutes({ config, db, ports }: Deps, tokens: LoginTokens): Route[] {
  const quotaOf = (userId: string) =>
    readQuota(db.kysely, config.thinkingQuotaPerDay, userId, ports.clock.now());

  async function accountOf(userId: string): Promise<UserRow> {
    const user = await readUser(db.kysely, userId);
    if (user === undefined) throw new GlobalRefusal(Global.InvalidToken);
    return user;
  }

  async function settingsOf(userId: string): Promise<UserSettings> {
    const user = await accountOf(userId);
    return { training_allowed: user.training_allowed !== 0, thinking_quota: await quotaOf(userId) };
  }

  return [
    route(currentUser, API, async (context) => {
      const view = presentUser(await accountOf(context.user.id), context.token ?? "", ports.clock.now());
      return { ...view, user: view };
    }),
    route(logout, API, async ({ user }) => {
      await tokens.revoke(user.id, user.tokenHash);
      return null;
    }),
    route(logoutAllSessions, API, async ({ user, log }) => {
      await tokens.revoke(user.id, null);
      log.info({ user: user.id }, "signed out everywhere");
      return null;
    }),
    route(featureQuota, API, async ({ user }) => ({ thinking: await quotaOf(user.id) })),
    route(userSettings, API, async ({ user }) => settingsOf(user.id)),
    route(updateUserSettings, API, async ({ user }, { training_allowed }) => {
      if (training_allowed !== null) await setTrainingAllowed(db.kysely, user.id, training_allowed);
      return settingsOf(user.id);
    }),
  ];
}
