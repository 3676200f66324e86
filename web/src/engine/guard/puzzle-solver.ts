// Hands puzzles to the worker, or solves them in small slices where there is none.
import { puzzleText } from "@plumb/protocol/proof-of-work/challenge";
import type { AsciiHash } from "@plumb/protocol/proof-of-work/puzzle";
import type { Browser, WorkerPort } from "../browser.ts";
import { pause } from "../pause.ts";
import { isPuzzleAnswer, type PuzzleTask } from "./puzzle-message.ts";

/** Candidates tried before the page gets a turn. */
const SLICE = 500;

export type PuzzleSolver = ReturnType<typeof createPuzzleSolver>;

/** The hash in plain script. Few pages need it: its code loads with the first puzzle that no worker solves. */
async function loadPlainHash(): Promise<AsciiHash> {
  return (await import("./sha256.ts")).sha256Ascii;
}

/** `loadHash` gives the hash for puzzles solved on the page itself. */
export function createPuzzleSolver(browser: Browser, loadHash = loadPlainHash) {
  let worker: WorkerPort | null = null;
  let workerFailed = false;
  let lastTask = 0;
  const waiting = new Map<number, (answer: number | null | "failed") => void>();

  function theWorker(): WorkerPort | null {
    if (worker !== null || workerFailed) return worker;
    worker = browser.startPuzzleWorker();
    workerFailed = worker === null;
    worker?.listen(
      (data) => {
        if (isPuzzleAnswer(data)) settle(data.task, data.answer);
      },
      (reason) => {
        browser.log("the puzzle worker failed, puzzles are solved on the page", reason);
        worker?.terminate();
        worker = null;
        workerFailed = true;
        for (const task of [...waiting.keys()]) settle(task, "failed");
      },
    );
    return worker;
  }

  function settle(task: number, answer: number | null | "failed"): void {
    waiting.get(task)?.(answer);
    waiting.delete(task);
  }

  async function solveHere(challenge: PuzzleTask["challenge"]): Promise<number | null> {
    const hash = await loadHash();
    for (let answer = 0; answer < challenge.difficulty; answer++) {
      if (answer % SLICE === SLICE - 1) await pause(browser, 0);
      const digest = hash(puzzleText(challenge.salt, challenge.expire_at, answer));
      if (digest === challenge.challenge) return answer;
    }
    return null;
  }

  /** The answer, null when there is none. Rejects when the code that solves it can't be loaded. */
  async function solve(challenge: PuzzleTask["challenge"]): Promise<number | null> {
    const port = theWorker();
    if (port === null) return solveHere(challenge);
    const { challenge: digest, salt, difficulty, expire_at } = challenge;
    const message: PuzzleTask = {
      task: ++lastTask,
      challenge: { challenge: digest, salt, difficulty, expire_at },
    };
    const answer = await new Promise<number | null | "failed">((resolve) => {
      waiting.set(message.task, resolve);
      port.post(message);
    });
    return answer === "failed" ? solveHere(challenge) : answer;
  }

  return {
    solve,
    stop: (): void => {
      worker?.terminate();
      worker = null;
    },
  };
}
