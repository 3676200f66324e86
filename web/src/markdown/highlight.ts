import type { ColouredRun } from "./coloured-chunks.ts";
import type { HighlightAnswer, HighlightRequest } from "./highlight-messages.ts";

const longestHighlighted = 100_000;
let worker: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, (runs: ColouredRun[][]) => void>();

/**
 * Asks the worker, when the page is idle, for the colours of complete code; `done` gets them per chunk, and is
 * not called for a language it does not know or code that is too long. Returns the way to lose interest.
 */
export function highlight(
  language: string,
  chunks: readonly string[],
  done: (runs: ColouredRun[][]) => void,
): () => void {
  if (chunks.reduce((sum, chunk) => sum + chunk.length, 0) > longestHighlighted) return () => undefined;
  const id = ++lastId;
  waiting.set(id, done);
  const cancelIdle = whenIdle(() => {
    const request: HighlightRequest = { id, language: language.toLowerCase(), chunks: [...chunks] };
    openWorker()?.postMessage(request);
  });
  return () => {
    cancelIdle();
    waiting.delete(id);
  };
}

function openWorker(): Worker | null {
  if (typeof Worker === "undefined") return null;
  if (worker !== null) return worker;
  worker = new Worker(new URL("./highlight.worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", (event: MessageEvent<HighlightAnswer>) => {
    const done = waiting.get(event.data.id);
    waiting.delete(event.data.id);
    if (event.data.runs !== null) done?.(event.data.runs);
  });
  return worker;
}

function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(work, 200);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: 2000 });
  return () => cancelIdleCallback(handle);
}
