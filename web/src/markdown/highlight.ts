import type { ColouredRun } from "./coloured-chunks.ts";
import type { HighlightAnswer, HighlightRequest } from "./highlight-messages.ts";

const longestHighlighted = 100_000;
let worker: Worker | null = null;
let lastId = 0;
/** What was asked for, or will be when the page is idle. */
const waiting = new Map<number, { request: HighlightRequest; done: (runs: ColouredRun[][]) => void }>();

/**
 * Asks the worker, when the page is idle, for the colours of complete code; `done` gets them per chunk, and is
 * not called for a language it does not know or code that is too long. Where the worker cannot be loaded they come
 * when the network is back. Returns the way to lose interest.
 */
export function highlight(
  language: string,
  chunks: readonly string[],
  done: (runs: ColouredRun[][]) => void,
): () => void {
  if (chunks.reduce((sum, chunk) => sum + chunk.length, 0) > longestHighlighted) return () => undefined;
  const id = ++lastId;
  const request = { id, language: language.toLowerCase(), chunks: [...chunks] };
  const cancelIdle = whenIdle(() => {
    waiting.set(id, { request, done });
    if (worker === null) askAll();
    else worker.postMessage(request);
  });
  return () => {
    cancelIdle();
    waiting.delete(id);
  };
}

/** Asks a new worker for all that no worker has answered. */
function askAll(): void {
  if (typeof Worker === "undefined") return;
  const asked = new Worker(new URL("./highlight.worker.ts", import.meta.url), { type: "module" });
  worker = asked;
  asked.addEventListener("message", (event: MessageEvent<HighlightAnswer>) => {
    const done = waiting.get(event.data.id)?.done;
    waiting.delete(event.data.id);
    if (event.data.runs !== null) done?.(event.data.runs);
  });
  asked.addEventListener("error", () => {
    asked.terminate();
    worker = null;
    window.addEventListener("online", () => worker === null && askAll(), { once: true });
  });
  for (const { request } of waiting.values()) asked.postMessage(request);
}

function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(work, 200);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: 2000 });
  return () => cancelIdleCallback(handle);
}
