// Asks an OpenAI-compatible moderation endpoint. A text that grows is sent in parts, one call at a time; each part begins
// with the last words of the one before, so that what lies across two is seen.
import type { Clock } from "../../ports/clock.ts";
import type { ContentFilter, Screening, Verdict } from "../../ports/content-filter.ts";
import type { ModerationEndpoint } from "./moderation-endpoint.ts";

/** Code units of new text in one call, and how long less waits. */
const AT_LEAST = 500;
const AT_MOST = 8000;
const WAIT_MS = 1000;
/** Of the part before. */
const OVERLAP = 200;
/** Above it the text goes on when the endpoint has caught up. */
const BEHIND = 4 * AT_MOST;

export function createModerationFilter(
  endpoint: Pick<ModerationEndpoint, "ask" | "close">,
  clock: Clock,
): ContentFilter {
  return {
    open: (onVerdict) => new ModeratedText(endpoint, clock, onVerdict),
    close: () => endpoint.close(),
  };
}

class ModeratedText implements Screening {
  readonly #endpoint: Pick<ModerationEndpoint, "ask">;
  readonly #clock: Clock;
  readonly #onVerdict: (verdict: "refused" | "unknown") => void;
  readonly #abort = new AbortController();
  #waiting = "";
  #before = "";
  #asking: Promise<void> | null = null;
  #cancelWait: (() => void) | null = null;
  #due = false;
  #ended = false;
  #worst: Verdict = "allowed";

  constructor(
    endpoint: Pick<ModerationEndpoint, "ask">,
    clock: Clock,
    onVerdict: (verdict: "refused" | "unknown") => void,
  ) {
    this.#endpoint = endpoint;
    this.#clock = clock;
    this.#onVerdict = onVerdict;
  }

  push(piece: string): void {
    if (this.#ended || piece === "") return;
    this.#waiting += piece;
    this.#cancelWait ??= this.#clock.after(WAIT_MS, () => {
      this.#due = true;
      this.#askNext();
    });
    this.#askNext();
  }

  pace(): Promise<void> | null {
    return this.#waiting.length > BEHIND ? this.#asking : null;
  }

  async end(): Promise<Verdict> {
    this.#ended = true;
    this.#askNext();
    while (this.#asking !== null) await this.#asking;
    return this.#worst;
  }

  abort(): void {
    this.#ended = true;
    this.#waiting = "";
    this.#cancelWait?.();
    this.#abort.abort();
  }

  #askNext(): void {
    if (this.#asking !== null || this.#waiting === "" || this.#worst === "refused") return;
    if (this.#waiting.length < AT_LEAST && !this.#ended && !this.#due) return;
    const part = this.#waiting.slice(0, AT_MOST);
    this.#waiting = this.#waiting.slice(part.length);
    this.#cancelWait?.();
    this.#cancelWait = null;
    this.#due = false;
    const text = this.#before + part;
    this.#before = text.slice(-OVERLAP);
    this.#asking = this.#endpoint.ask(text.toWellFormed(), this.#abort.signal).then((verdict) => {
      this.#asking = null;
      this.#hear(verdict);
      this.#askNext();
    });
  }

  #hear(verdict: Verdict): void {
    if (verdict === "allowed" || this.#abort.signal.aborted || this.#worst === "refused") return;
    this.#worst = verdict;
    this.#onVerdict(verdict);
  }
}
