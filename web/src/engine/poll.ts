// Asks again and again while somebody looks and there is a network: nothing else tells a page what other devices do.
import type { ApiError } from "./api-errors.ts";
import type { Browser, Cancel } from "./browser.ts";

/** What became of one asking. "nothing": there was nothing to ask for. */
export type Asked = { outcome: "answered" | "nothing" } | { outcome: "failed"; error?: ApiError };

export interface PollOptions {
  browser: Browser;
  /** From the end of one asking to the next (milliseconds). */
  everyMs: number;
  /** After failures it is asked less and less often, at last this often (milliseconds). */
  slowestMs: number;
  ask(): Promise<Asked>;
}

export function createPoll({ browser, everyMs, slowestMs, ask }: PollOptions) {
  let started = false;
  let asking = false;
  let waitMs = everyMs;
  let cancel: Cancel | null = null;

  function schedule(ms: number): void {
    cancel?.();
    cancel = started ? browser.after(ms, now) : null;
  }

  /** How long the server wants to be left alone after this answer (milliseconds). */
  function wantedRest(asked: Asked): number {
    if (asked.outcome !== "failed" || asked.error?.kind !== "http") return 0;
    return (asked.error.retryAfterSecs ?? 0) * 1000;
  }

  async function run(): Promise<void> {
    asking = true;
    const asked = await ask().catch((error: unknown): Asked => {
      browser.log("asking for news failed", error);
      return { outcome: "failed" };
    });
    asking = false;
    waitMs = asked.outcome === "failed" ? Math.min(waitMs * 2, slowestMs) : everyMs;
    schedule(Math.max(waitMs, wantedRest(asked)));
  }

  /** Asks at once, unless nobody looks, there is no network, or it is being asked already. */
  function now(): void {
    if (!started || asking) return;
    if (browser.visible() && browser.online()) void run();
    else schedule(waitMs);
  }

  return {
    now,
    start(): void {
      started = true;
      schedule(waitMs);
    },
    stop(): void {
      started = false;
      waitMs = everyMs;
      cancel?.();
      cancel = null;
    },
  };
}
