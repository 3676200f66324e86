// Solves puzzles off the main thread. This script's own response must carry 'wasm-unsafe-eval'; without it the
// plain hash does the work.
import { createSHA256 } from "hash-wasm";
import { solve, type AsciiHash } from "@plumb/protocol/proof-of-work/puzzle";
import type { PuzzleAnswer, PuzzleTask } from "./puzzle-message.ts";

/** The part of a worker's global scope used here; said in full because the page's own types know another `self`. */
declare const self: {
  addEventListener(type: "message", listener: (event: MessageEvent<PuzzleTask>) => void): void;
  postMessage(message: unknown): void;
};

async function loadHash(): Promise<AsciiHash> {
  try {
    const hasher = await createSHA256();
    return (ascii) => hasher.init().update(ascii).digest("hex");
  } catch (error) {
    console.info("WebAssembly is refused here, puzzles are solved without it", error);
    return (await import("./sha256.ts")).sha256Ascii;
  }
}

const hash = loadHash();

self.addEventListener("message", (event: MessageEvent<PuzzleTask>) => {
  const { task, challenge } = event.data;
  void hash.then((ready) => {
    const answer: PuzzleAnswer = { task, answer: solve(challenge, ready) };
    self.postMessage(answer);
  });
});
