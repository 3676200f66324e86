// Solving and checking; the hash is the host's, so that this runs in a worker without a secure context.
import { puzzleText, type Challenge } from "./challenge.ts";

/** SHA-256 of an ASCII text as lower-case hex. */
export type AsciiHash = (ascii: string) => string;

export interface SolveOptions {
  /** Called now and then with the number of candidates tried. */
  onProgress?: (tried: number) => void;
  /** Asked now and then; true ends the search. */
  shouldStop?: () => boolean;
}

const CHECK_EVERY = 1000;

/** Tries 0, 1, 2 …; null when stopped or when no number below the difficulty answers. */
export function solve(
  challenge: Pick<Challenge, "challenge" | "salt" | "difficulty" | "expire_at">,
  hash: AsciiHash,
  options: SolveOptions = {},
): number | null {
  for (let answer = 0; answer < challenge.difficulty; answer++) {
    if (answer % CHECK_EVERY === 0) {
      options.onProgress?.(answer);
      if (options.shouldStop?.()) return null;
    }
    if (hash(puzzleText(challenge.salt, challenge.expire_at, answer)) === challenge.challenge) return answer;
  }
  return null;
}

/** True for the integer in [0, difficulty) that makes the challenge; costs one hash. */
export function verify(
  challenge: Pick<Challenge, "challenge" | "salt" | "difficulty" | "expire_at">,
  answer: number,
  hash: AsciiHash,
): boolean {
  if (!Number.isInteger(answer) || answer < 0 || answer >= challenge.difficulty) return false;
  return hash(puzzleText(challenge.salt, challenge.expire_at, answer)) === challenge.challenge;
}
