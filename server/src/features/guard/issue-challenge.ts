// Makes challenges: for a user nothing is stored, a guest's is kept by salt until it is used (wire-contract.md §2.1, §2.3).
import { randomBytes, randomInt } from "node:crypto";
import { LIMITS, powDifficultyMax } from "@plumb/protocol/limits";
import {
  buildSalt,
  type Challenge,
  GUEST_TARGET_PATHS,
  POW_ALGORITHM,
  puzzleText,
  sceneOf,
} from "@plumb/protocol/proof-of-work/challenge";
import { GuardRefusal } from "@plumb/protocol/wire/guard";
import { normaliseTargetPath } from "@plumb/protocol/wire/headers";
import type { Config } from "../../config.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { Refusal } from "../../platform/refusal.ts";
import { sha256Hex, signChallenge, signingKey } from "./challenge-keys.ts";
import { insertGuestChallenge } from "./proof-store.ts";

const SALT_TRIES = 5;

interface ChallengeSettings {
  secretKey: string;
  powDifficulty: Config["powDifficulty"];
}

function makeChallenge(key: Uint8Array, targetPath: string, difficulty: number, nowMs: number): Challenge {
  const expireAt = Math.ceil((nowMs + LIMITS.powChallengeLifeMs) / 1000) * 1000;
  const salt = buildSalt({ random: randomBytes(3).toString("hex"), difficulty, expireAtMs: expireAt });
  const unsigned = {
    algorithm: POW_ALGORITHM,
    challenge: sha256Hex(puzzleText(salt, expireAt, randomInt(difficulty))),
    salt,
    difficulty,
    expire_at: expireAt,
    target_path: targetPath,
  };
  return { ...unsigned, signature: signChallenge(key, unsigned), expire_after: LIMITS.powChallengeLifeMs };
}

/** A challenge that serves this user alone. Throws Refusal 1 for a path without a scene. */
export function issueUserChallenge(
  settings: ChallengeSettings,
  userId: string,
  targetPath: string,
  nowMs: number,
): Challenge {
  const path = normaliseTargetPath(targetPath);
  const scene = sceneOf(path);
  if (scene === null) throw new Refusal(GuardRefusal.InvalidTargetPath);
  const { chat, upload } = settings.powDifficulty;
  const difficulty = scene === "upload_file" ? upload : chat;
  return makeChallenge(signingKey(settings.secretKey, userId), path, difficulty, nowMs);
}

/**
 * A challenge for a guest call, stored until it expires. `targetPath` null = good for any one guest call; `factor` times as
 * difficult as the setting says, but not beyond the highest setting. Throws Refusal 1 for a path that needs no guest proof.
 */
export async function issueGuestChallenge(
  q: Queryable,
  settings: ChallengeSettings,
  { targetPath, factor = 1 }: { targetPath: string | null; factor?: number },
  nowMs: number,
): Promise<Challenge> {
  const path = targetPath === null ? null : normaliseTargetPath(targetPath);
  if (path !== null && !GUEST_TARGET_PATHS.has(path)) throw new Refusal(GuardRefusal.InvalidTargetPath);
  const key = signingKey(settings.secretKey, null);
  const difficulty = Math.min(settings.powDifficulty.guest * factor, powDifficultyMax);
  // The salt has 24 random bits: under load two challenges of one second may meet.
  for (let attempt = 0; attempt < SALT_TRIES; attempt++) {
    const challenge = makeChallenge(key, path ?? "", difficulty, nowMs);
    const stored = await insertGuestChallenge(q, {
      salt: challenge.salt,
      challenge: challenge.challenge,
      target_path: path,
      expires_at: challenge.expire_at,
    });
    if (stored) return challenge;
  }
  throw new Error("no free salt for a guest challenge");
}
