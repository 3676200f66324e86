// Challenges for guests and for users (wire-contract.md §7.1, §11.1).
import { createGuestChallenge, createPowChallenge, getGuestChallenge } from "@plumb/protocol/wire/guard";
import type { Deps } from "../../platform/deps.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { issueGuestChallenge, issueUserChallenge } from "./issue-challenge.ts";
import { usesSlides } from "./slide-captcha-routes.ts";
import { proofFactorOf } from "./slide-failures.ts";

export function guardRoutes({ config, db, ports, secretKey }: Deps): Route[] {
  const settings = { secretKey, powDifficulty: config.powDifficulty };
  async function challengeGuest({ ip }: { ip: string }, { target_path }: { target_path: string | null }) {
    const nowMs = ports.clock.now();
    const factor = usesSlides(config) ? await proofFactorOf(db.kysely, ip, nowMs) : 1;
    const asked = { targetPath: target_path, factor };
    return { guest_challenge: await issueGuestChallenge(db.kysely, settings, asked, nowMs) };
  }
  const guest = { rate: "guest", accountStatus: "any" } as const;
  return [
    route(createGuestChallenge, guest, challengeGuest),
    route(getGuestChallenge, guest, challengeGuest),
    route(createPowChallenge, { rate: "api", accountStatus: "any" }, async ({ user }, { target_path }) => ({
      challenge: issueUserChallenge(settings, user.id, target_path, ports.clock.now()),
    })),
  ];
}
