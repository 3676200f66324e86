// Whether a text may be said: one that is whole, such as a prompt, and a reply that grows.
import { type Fragment, isFragment } from "@plumb/protocol/conversation/fragment";
import { ownTurn } from "../../platform/own-turn.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ContentFilter, Screening, Verdict } from "../../ports/content-filter.ts";

/** Code units that are looked at in one turn of the event loop: a millisecond or so. */
const TURN_CHARS = 32 * 1024;

/** What is done with a text that could not be looked at (MODERATION_FAILURE). */
export type WhenUnknown = "allow" | "block";

/** The verdict on a whole text; "unknown" when `signal` is aborted first. */
export async function screenText(filter: ContentFilter, text: string, signal: AbortSignal): Promise<Verdict> {
  let refused = false;
  const screening = filter.open((verdict) => {
    refused ||= verdict === "refused";
  });
  const stopped = new Promise<"unknown">((resolve) => {
    const stop = (): void => {
      screening.abort();
      resolve("unknown");
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  await pushPaced(screening, text, () => refused || signal.aborted);
  if (refused) {
    screening.abort();
    return "refused";
  }
  return Promise.race([screening.end(), stopped]);
}

/** The words of one reply, thought and answer, over all its runs. */
export class ReplyScreen {
  readonly #texts: Record<"reasoning" | "text", Screening>;
  readonly #clock: Clock;
  readonly #whenUnknown: WhenUnknown;
  readonly #onRefused: () => void;
  #refused = false;
  /** The run ended before all that was said before it was looked at. */
  #cut = false;
  #hurry: () => void = () => {};

  /** `onRefused` is called once, as soon as it is known that the reply must not go on; perhaps inside `push`. */
  constructor(filter: ContentFilter, clock: Clock, whenUnknown: WhenUnknown, onRefused: () => void) {
    this.#clock = clock;
    this.#whenUnknown = whenUnknown;
    this.#onRefused = onRefused;
    const open = () => filter.open((verdict) => this.#hear(verdict));
    this.#texts = { reasoning: open(), text: open() };
  }

  /**
   * What earlier runs have said: a word may begin there, and a process that died has not told how far it had looked. That may be
   * thousands of calls of an endpoint: with `signal`, which ends the run, no more are made, and the rest is unknown.
   */
  async begin(fragments: readonly Fragment[], signal: AbortSignal): Promise<void> {
    for (const fragment of fragments) {
      const kind = isFragment(fragment, "THINK") ? "reasoning" : "text";
      if (!isFragment(fragment, "THINK") && !isFragment(fragment, "RESPONSE")) continue;
      await pushPaced(this.#texts[kind], fragment.content, () => this.#refused || signal.aborted);
    }
    this.#cut = signal.aborted;
  }

  /** Looks at words before they are written. */
  push(kind: "reasoning" | "text", words: string): void {
    if (!this.#refused) this.#texts[kind].push(words);
  }

  /** See `Screening.pace`. */
  pace(): Promise<void> | null {
    return this.#texts.text.pace() ?? this.#texts.reasoning.pace();
  }

  /** The reply has said everything: whether it may stay. What is not known within `ms` counts as unknown. */
  async mayStay(ms: number): Promise<boolean> {
    let cancel = (): void => {};
    const late = new Promise<Verdict[]>((resolve) => {
      this.#hurry = () => resolve(["unknown"]);
      cancel = this.#clock.after(ms, () => this.#hurry());
    });
    const { reasoning, text } = this.#texts;
    const verdicts = await Promise.race([Promise.all([reasoning.end(), text.end()]), late]);
    cancel();
    if (this.#cut) verdicts.push("unknown");
    for (const verdict of verdicts) if (verdict !== "allowed") this.#hear(verdict);
    return !this.#refused;
  }

  /** Nobody waits any longer for `mayStay`. */
  hurry(): void {
    this.#hurry();
  }

  /** The run has ended: nothing is asked any more. */
  close(): void {
    for (const screening of Object.values(this.#texts)) screening.abort();
  }

  #hear(verdict: "refused" | "unknown"): void {
    if (this.#refused || (verdict === "unknown" && this.#whenUnknown === "allow")) return;
    this.#refused = true;
    this.#onRefused();
  }
}

async function pushPaced(screening: Screening, text: string, isOver: () => boolean): Promise<void> {
  for (let from = 0; from < text.length && !isOver(); from += TURN_CHARS) {
    if (from > 0) await ownTurn();
    screening.push(text.slice(from, from + TURN_CHARS));
    await screening.pace();
  }
}
