// Checks the answer to a challenge, in the order of wire-contract.md §2.4, and spends it.
import { parseSalt, POW_ALGORITHM, sceneOf } from "@plumb/protocol/proof-of-work/challenge";
import { verify } from "@plumb/protocol/proof-of-work/puzzle";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { GuestPowResponse, PowResponse } from "@plumb/protocol/wire/headers";
import type { Database, Queryable } from "../../platform/database/database.ts";
import { GlobalRefusal } from "../../platform/refusal.ts";
import { sameText, sha256Hex, signChallenge, signingKey } from "./challenge-keys.ts";
import { findGuestChallenge, spendProof, takeGuestChallenge } from "./proof-store.ts";

const invalid = (): GlobalRefusal => new GlobalRefusal(Global.InvalidPowResponse);

/**
 * `proof` null = the header was absent or malformed (40300). `calledPath` is the path of the call, whose scene the
 * answer must have. Throws 40301 for an answer that is wrong, expired, of another scene or user, or already used.
 */
export async function requireUserProof(
  db: Pick<Database, "unsynced">,
  secretKey: string,
  { proof, userId, calledPath }: { proof: PowResponse | null; userId: string; calledPath: string },
  nowMs: number,
): Promise<void> {
  if (proof === null) throw new GlobalRefusal(Global.PowHeaderError);
  const parsed = parseSalt(proof.salt);
  if (parsed === null || proof.algorithm !== POW_ALGORITHM) throw invalid();
  const signed = {
    algorithm: proof.algorithm,
    challenge: proof.challenge,
    salt: proof.salt,
    difficulty: parsed.difficulty,
    expire_at: parsed.expireAtMs,
    target_path: proof.target_path,
  };
  if (!sameText(proof.signature, signChallenge(signingKey(secretKey, userId), signed))) throw invalid();
  if (sceneOf(signed.target_path) !== sceneOf(calledPath)) throw invalid();
  if (nowMs > signed.expire_at) throw invalid();
  if (!verify(signed, proof.answer, sha256Hex)) throw invalid();
  // The turn's own commit follows and syncs it: what a power cut could take is a proof whose turn it took too.
  if (!(await db.unsynced((q) => spendProof(q, proof.signature, signed.expire_at)))) throw invalid();
}

/** As `requireUserProof`, for guests: the challenge is known by its salt, bound to its path and good once. */
export async function requireGuestProof(
  q: Queryable,
  { proof, calledPath }: { proof: GuestPowResponse | null; calledPath: string },
  nowMs: number,
): Promise<void> {
  if (proof === null) throw new GlobalRefusal(Global.PowHeaderError);
  const parsed = parseSalt(proof.salt);
  if (parsed === null) throw invalid();
  const stored = await findGuestChallenge(q, proof.salt);
  if (stored === undefined) throw invalid();
  if (stored.target_path !== null && stored.target_path !== calledPath) throw invalid();
  if (nowMs > stored.expires_at) throw invalid();
  const puzzle = {
    challenge: stored.challenge,
    salt: proof.salt,
    difficulty: parsed.difficulty,
    expire_at: parsed.expireAtMs,
  };
  if (!verify(puzzle, proof.answer, sha256Hex)) throw invalid();
  if (!(await takeGuestChallenge(q, proof.salt))) throw invalid();
}
