// Challenges of proof of work, for guests (wire-contract.md §7.1) and users (§11.1).
import * as z from "zod/mini";
import type { Challenge } from "../proof-of-work/challenge.ts";
import { defineCall } from "./call.ts";
import { maybe } from "./fields.ts";

export const GuardRefusal = {
  InvalidTargetPath: { code: 1, msg: "INVALID_TARGET_PATH" },
} as const;

export interface GuestChallengeResponse {
  guest_challenge: Challenge;
}

/** Refused with GuardRefusal.InvalidTargetPath for a path that needs no guest proof. */
export const createGuestChallenge = defineCall<GuestChallengeResponse>()({
  method: "POST",
  path: "/api/v0/users/create_guest_challenge",
  auth: "none",
  request: z.object({ target_path: z.string() }),
});

/** The same by GET; without target_path the challenge serves any one guest call. */
export const getGuestChallenge = defineCall<GuestChallengeResponse>()({
  method: "GET",
  path: "/api/v0/users/create_guest_challenge",
  auth: "none",
  request: z.object({ target_path: maybe(z.string()) }),
});

/** Refused with GuardRefusal.InvalidTargetPath for a path without a scene. */
export const createPowChallenge = defineCall<{ challenge: Challenge }>()({
  method: "POST",
  path: "/api/v0/chat/create_pow_challenge",
  request: z.object({ target_path: z.string() }),
});
