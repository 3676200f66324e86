// The messages between the engine and its puzzle worker.
import type { Challenge } from "@plumb/protocol/proof-of-work/challenge";

export interface PuzzleTask {
  task: number;
  challenge: Pick<Challenge, "challenge" | "salt" | "difficulty" | "expire_at">;
}

/** `answer` is null when no number below the difficulty solves it. */
export interface PuzzleAnswer {
  task: number;
  answer: number | null;
}

export function isPuzzleAnswer(data: unknown): data is PuzzleAnswer {
  if (typeof data !== "object" || data === null) return false;
  const { task, answer } = data as Record<string, unknown>;
  return typeof task === "number" && (answer === null || typeof answer === "number");
}
