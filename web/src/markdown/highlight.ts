import type { ColouredRun } from "./coloured-chunks.ts";
import type { HighlightAnswer, HighlightRequest } from "./highlight-messages.ts";

const longestHighlighted = 100_000;
/** So many blocks are handed over in one task. */
const askedAtOnce = 16;
let worker: Worker | null = null;
let lastId = 0;
let scheduled = false;
/** What was asked for, in the order of asking. */
const waiting = new Map<number, { request: HighlightRequest; done: (runs: ColouredRun[][]) => void }>();
/** The last that a worker was asked for. */
let lastAsked = 0;

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
  waiting.set(id, { request: { id, language: language.toLowerCase(), chunks: [...chunks] }, done });
  askSoon();
  return () => void waiting.delete(id);
}

function askSoon(): void {
  if (scheduled) return;
  scheduled = true;
  whenIdle(() => {
    scheduled = false;
    if (worker === null) askAll();
    else askSome(worker);
  });
}

function askSome(asked: Worker): void {
  let room = askedAtOnce;
  for (const { request } of waiting.values()) {
    if (request.id <= lastAsked) continue;
    if (room-- === 0) return askSoon();
    asked.postMessage(request);
    lastAsked = request.id;
  }
}

/** Asks a new worker for all that no worker has answered. */
function askAll(): void {
  if (typeof Worker === "undefined" || waiting.size === 0) return;
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
  lastAsked = 0;
  askSome(asked);
}

function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === "undefined") setTimeout(work, 200);
  else requestIdleCallback(work, { timeout: 2000 });
}
