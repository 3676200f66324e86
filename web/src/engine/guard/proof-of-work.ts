// Proofs ready before they are needed: one answer for chat calls, and guest answers on demand (wire-contract.md §2).
import { usableUntilMs } from "@plumb/protocol/proof-of-work/challenge";
import { createGuestChallenge, createPowChallenge } from "@plumb/protocol/wire/guard";
import { completion } from "@plumb/protocol/wire/turns";
import { encodeGuestPowResponse, encodePowResponse } from "@plumb/protocol/wire/headers";
import type { ApiClient } from "../api-client.ts";
import type { ApiError } from "../api-errors.ts";
import type { Browser } from "../browser.ts";
import type { PuzzleSolver } from "./puzzle-solver.ts";

/** A header's value, or why there is none; null = the puzzle has no answer. */
export type Proof = { ok: true; header: string } | { ok: false; error: ApiError | null };

interface Ready {
  header: string;
  /** Milliseconds; a later use is refused by the server or close to it. */
  usableUntil: number;
}

export type ProofOfWork = ReturnType<typeof createProofOfWork>;

export function createProofOfWork(browser: Browser, api: ApiClient, solver: PuzzleSolver) {
  let ready: Ready | null = null;
  let inFlight: Promise<{ ok: true; ready: Ready } | { ok: false; error: ApiError | null }> | null = null;
  // Raised at every clear: an answer to an earlier call is not used.
  let generation = 0;

  /** The answer to a puzzle; without its solver's code there is none, as without network. */
  async function solve(
    challenge: Parameters<PuzzleSolver["solve"]>[0],
  ): Promise<{ ok: true; answer: number } | { ok: false; error: ApiError | null }> {
    try {
      const answer = await solver.solve(challenge);
      return answer === null ? { ok: false, error: null } : { ok: true, answer };
    } catch (error) {
      browser.log("a puzzle was not solved", error);
      return { ok: false, error: { kind: "network", reason: String(error) } };
    }
  }

  async function obtain(
    targetPath: string,
  ): Promise<{ ok: true; ready: Ready } | { ok: false; error: ApiError | null }> {
    const result = await api.call(createPowChallenge, { target_path: targetPath });
    if (!result.ok) return result;
    const { challenge } = result.data;
    const usableUntil = usableUntilMs(challenge, browser.now());
    const solved = await solve(challenge);
    if (!solved.ok) return solved;
    const { answer } = solved;
    return { ok: true, ready: { header: encodePowResponse({ ...challenge, answer }), usableUntil } };
  }

  function fetchOne() {
    if (inFlight !== null) return inFlight;
    const mine = generation;
    const started = obtain(completion.path).then((result) => {
      if (mine !== generation) return { ok: false as const, error: { kind: "aborted" as const } };
      inFlight = null;
      if (result.ok) ready = result.ready;
      return result;
    });
    inFlight = started;
    return started;
  }

  function fresh(): Ready | null {
    if (ready !== null && browser.now() >= ready.usableUntil) ready = null;
    return ready;
  }

  /** Makes sure that an answer lies ready or is on its way. Failures show only when one is needed. */
  function prepare(): void {
    if (fresh() === null) void fetchOne();
  }

  /** Gives out an answer, once, and starts on the next. */
  async function take(): Promise<Proof> {
    if (fresh() === null) {
      const result = await fetchOne();
      if (!result.ok) return result;
    }
    const mine = fresh();
    ready = null;
    // Two takers waited for the same answer: the second one waits for the next.
    if (mine === null) return take();
    prepare();
    return { ok: true, header: mine.header };
  }

  /** An answer for one call of the scene of `targetPath`; never kept. */
  async function once(targetPath: string): Promise<Proof> {
    const result = await obtain(targetPath);
    return result.ok ? { ok: true, header: result.ready.header } : result;
  }

  /** An answer for one call of a guest; never kept. */
  async function guest(targetPath: string): Promise<Proof> {
    const result = await api.call(createGuestChallenge, { target_path: targetPath });
    if (!result.ok) return result;
    const { guest_challenge: challenge } = result.data;
    const solved = await solve(challenge);
    if (!solved.ok) return solved;
    const { answer } = solved;
    return { ok: true, header: encodeGuestPowResponse({ salt: challenge.salt, answer }) };
  }

  /** Forgets what is kept and on its way: sign-out, or a proof was refused. */
  function clear(): void {
    generation += 1;
    ready = null;
    inFlight = null;
  }

  return { prepare, take, once, guest, clear };
}
