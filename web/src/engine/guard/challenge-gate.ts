// Between a bot challenge and its clearance (wire-contract.md §6.4): one challenge is passed for all requests, and those that
// come meanwhile wait.
import { Global } from "@plumb/protocol/wire/global-codes";
import type { ApiError } from "../api-errors.ts";
import type { Browser } from "../browser.ts";

/** After one that failed, requests of the page's own accord do not begin the next at once (milliseconds). */
const PAUSE_MS = 3000;

const ABORTED = { ok: false, kind: "error", error: { kind: "aborted" } } as const;

export interface HoldOptions {
  signal?: AbortSignal;
  /** Is a part of passing a bot challenge: neither waits for one nor begins one. */
  duringChallenge?: true;
  /** The request waits for a challenge to be passed (true), or goes on its way (false): times of its own stand still between. */
  onHeld?(held: boolean): void;
}

export interface ChallengeGate {
  /**
   * Sends a request, once no challenge is being passed; and once more when it met one that was passed then. It waits
   * no longer than its signal allows.
   */
  through<A extends object>(options: HoldOptions, send: () => Promise<A>): Promise<A | typeof ABORTED>;
}

/** `pass` resolves when a challenge was passed or was not; never rejects. `onNotHeld`: it was passed, and yet asked for again. */
export function createChallengeGate(
  browser: Browser,
  { pass, onNotHeld }: { pass(): Promise<boolean>; onNotHeld(): void },
): ChallengeGate {
  let passing: Promise<boolean> | null = null;
  let passedSoFar = 0;
  let failedAt = Number.NEGATIVE_INFINITY;

  async function begin(): Promise<boolean> {
    const passed = await pass();
    passing = null;
    if (passed) passedSoFar += 1;
    else failedAt = browser.now();
    return passed;
  }

  return {
    async through(options, send) {
      if (options.duringChallenge === true) return send();
      if (passing !== null) await held(options, passing);
      const before = passedSoFar;
      const answer = options.signal?.aborted ? ABORTED : await send();
      if (!isChallenged(answer)) return answer;
      // One that was passed while this answer was on its way is passed for it, too.
      if (passedSoFar === before) {
        if (passing === null && browser.now() - failedAt < PAUSE_MS) return answer;
        if (!(await held(options, (passing ??= begin())))) return answer;
      }
      if (options.signal?.aborted) return ABORTED;
      const again = await send();
      if (isChallenged(again)) {
        failedAt = browser.now();
        onNotHeld();
      }
      return again;
    },
  };
}

/** Resolves with what came of a challenge, or when the request is given up. */
async function held({ signal, onHeld }: HoldOptions, passing: Promise<boolean>): Promise<boolean> {
  onHeld?.(true);
  const passed = await Promise.race([
    passing,
    new Promise<boolean>((resolve) => {
      if (signal?.aborted) resolve(true);
      signal?.addEventListener("abort", () => resolve(true), { once: true });
    }),
  ]);
  onHeld?.(false);
  return passed;
}

function isChallenged(answer: object): boolean {
  const { error } = answer as { error?: ApiError };
  return error?.kind === "http" && error.code === Global.BotChallenge.code;
}
