// Hands puzzles to the worker, or has them solved on the page where there is none.
import type { Browser, WorkerPort } from "../browser.ts";
import { isPuzzleAnswer, type PuzzleTask } from "./puzzle-message.ts";

export type PuzzleSolver = ReturnType<typeof createPuzzleSolver>;

/** Few pages solve puzzles themselves: the code loads with the first that no worker solves. */
async function loadSolveOnPage() {
  return (await import("./solve-on-page.ts")).solveOnPage;
}

/** `load` gives what solves puzzles on the page itself. */
export function createPuzzleSolver(browser: Browser, load = loadSolveOnPage) {
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
    const solveOnPage = await load();
    return solveOnPage(browser, challenge);
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
