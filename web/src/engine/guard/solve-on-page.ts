// Solves a puzzle in small slices on the page itself, where no worker can.
import { puzzleText } from "@plumb/protocol/proof-of-work/challenge";
import type { Browser } from "../browser.ts";
import { pause } from "../pause.ts";
import type { PuzzleTask } from "./puzzle-message.ts";
import { sha256Ascii } from "./sha256.ts";

/** Candidates tried before the page gets a turn. */
const SLICE = 500;

/** The answer of a puzzle; null where it has none. */
export async function solveOnPage(
  browser: Browser,
  challenge: PuzzleTask["challenge"],
): Promise<number | null> {
  for (let answer = 0; answer < challenge.difficulty; answer++) {
    if (answer % SLICE === SLICE - 1) await pause(browser, 0);
    const digest = sha256Ascii(puzzleText(challenge.salt, challenge.expire_at, answer));
    if (digest === challenge.challenge) return answer;
  }
  return null;
}
