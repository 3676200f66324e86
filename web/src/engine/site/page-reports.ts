// What a page tells of itself where the operator wants to hear it: how it was used (client/span) and what went wrong in it.
// Off by default. Nothing that people write goes out, and addresses and numbers of theirs only masked.
import type { Browser, Cancel } from "../browser.ts";

const SEND_EVERY_MS = 30_000;
/** Of one report, so that its body stays far below the 64 KiB that are taken. */
const SPANS_AT_ONCE = 100;
const SPANS_KEPT = 1000;
/** A page that fails again and again says so this often. */
const ERRORS_AT_MOST = 20;

export interface Span {
  name: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Milliseconds it took, where it took time. */
  ms?: number;
  /** A screen, never an address. */
  screen?: string;
}

export interface ErrorReport {
  version: string;
  message: string;
  stack: string;
  screen: string;
  at: number;
}

export interface SpanReportsDeps {
  browser: Browser;
  /** To client/span. */
  post(spans: readonly Span[]): Promise<void>;
}

export function createSpanReports({ browser, post }: SpanReportsDeps) {
  let waiting: Span[] = [];
  let listening: Cancel[] = [];

  /** Sends what has come together. What cannot be sent is lost: nobody waits for it. */
  async function send(): Promise<void> {
    const spans = waiting;
    waiting = [];
    for (let from = 0; from < spans.length; from += SPANS_AT_ONCE)
      await post(spans.slice(from, from + SPANS_AT_ONCE));
  }

  return {
    add(span: Omit<Span, "at">): void {
      waiting = [...waiting, { ...span, at: browser.now() }].slice(-SPANS_KEPT);
    },
    start(): void {
      listening = [browser.every(SEND_EVERY_MS, () => void send()), browser.onHidden(() => void send())];
    },
    stop(): void {
      for (const cancel of listening) cancel();
      listening = [];
      waiting = [];
    },
  };
}

export interface ErrorReportsDeps {
  version: string;
  now(): number;
  screen(): string;
  /** Of people's addresses and numbers. */
  mask(text: string): string;
  post(report: ErrorReport): void;
}

/** Gives what takes an error; the same one goes out once. */
export function createErrorReports({ version, now, screen, mask, post }: ErrorReportsDeps) {
  const told = new Set<string>();
  return (error: unknown): void => {
    const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
    const key = `${message}\n${stack}`;
    if (told.has(key) || told.size >= ERRORS_AT_MOST) return;
    told.add(key);
    post({
      version,
      message: mask(message).slice(0, 500),
      stack: mask(stack).slice(0, 4000),
      screen: screen(),
      at: now(),
    });
  };
}
