// Challenges for guests and for users (wire-contract.md §7.1, §11.1).
import { createGuestChallenge, createPowChallenge, getGuestChallenge } from "@plumb/protocol/wire/guard";
import type { Deps } from "../../platform/deps.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { issueGuestChallenge, issueUserChallenge } from "./issue-challenge.ts";

export function guardRoutes({ config, db, ports, secretKey }: Deps): Route[] {
  const settings = { secretKey, powDifficulty: config.powDifficulty };
  const guest = { rate: "guest", accountStatus: "any" } as const;
  return [
    route(createGuestChallenge, guest, async (_context, { target_path }) => ({
      guest_challenge: await issueGuestChallenge(db.kysely, settings, target_path, ports.clock.now()),
    })),
    route(getGuestChallenge, guest, async (_context, { target_path }) => ({
      guest_challenge: await issueGuestChallenge(db.kysely, settings, target_path, ports.clock.now()),
    })),
    route(createPowChallenge, { rate: "api", accountStatus: "any" }, async ({ user }, { target_path }) => ({
      challenge: issueUserChallenge(settings, user.id, target_path, ports.clock.now()),
    })),
  ];
}
