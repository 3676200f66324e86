// One run of one reply: walks the list of its steps, keeps its time and ends it. It knows no request and no connection; it
// ends by itself, by a stop, by a hand-over, or when another process has taken the lease.
import { LIMITS } from "@plumb/protocol/limits";
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import type { Logger } from "../../platform/logger.ts";
import type { Clock } from "../../ports/clock.ts";
import { ModelError } from "../../ports/model-provider.ts";
import type { ReplyScreen } from "../moderation/screen-text.ts";
import type { ReplyRow } from "../sessions/reply-store.ts";
import { Fenced } from "../../platform/database/lease-table.ts";
import type { LogAppender, LogListener } from "./log-appender.ts";
import { failureReason } from "./model-step.ts";
import type { ReplyEnding } from "./reply-ending.ts";
import type { FinishReason } from "./reply-events.ts";
import type { ReplyFeed } from "./reply-feed.ts";
import { isPassing } from "./settle-reply.ts";
import { charsOf, cutBefore } from "./reply-size.ts";
import type { ReplyStep, StepDesk } from "./reply-steps.ts";
import type { ReplyWriter } from "./reply-writer.ts";
import type { TitleMaker } from "./title-step.ts";

/** A database that does not answer must not hold up a shutdown. */
const HAND_OVER_MS = 3000;
/** What a step wrote is stored before the next one begins, or the run has failed. */
const STEP_STORED_MS = 60_000;

/** What one run is made of, each part already bound to its reply. */
export interface RunParts {
  reply: ReplyRow;
  epoch: number;
  feed: ReplyFeed;
  clock: Clock;
  /** Its lines carry the reply, and the trace id of its request. */
  lines: Logger;
  openAppender: (listener: LogListener) => LogAppender;
  writer: ReplyWriter;
  ending: Pick<ReplyEnding, "settle" | "close" | "giveUp">;
  /** Those that are left to do, in order. */
  steps: readonly ReplyStep[];
  /** Null: anything may be said. */
  openScreen: ((onRefused: () => void) => ReplyScreen) | null;
  /** Null when no title is due, or none may be asked of the model. */
  title: TitleMaker | null;
  /** The end is known before any step. */
  decided: FinishReason | undefined;
  /** The end status is stored: only title and close are missing, and `decided` says which end it was. */
  inTail: boolean;
  /** Called once, when the run is over for this process. */
  onLeft: (run: ReplyRun, fenced: boolean) => void;
}

/** Why a run is broken off from outside its steps. `broken`: what it says cannot be stored. */
type AbortReason =
  "stop" | "hand-over" | "fenced" | "overflow" | "time-limit" | "size-limit" | "broken" | "filtered";

/** For the verdict on a reply's last words: when it has said all, and when it was broken off (a stop is answered in 2 s). */
const VERDICT_MS = 10_000;
const VERDICT_OF_STOPPED_MS = 500;
/** So long a planned shutdown waits for that verdict: an end that is stored here asks no model again elsewhere. */
const VERDICT_AT_HAND_OVER_MS = 1000;

export class ReplyRun implements LogListener {
  readonly reply: ReplyRow;
  readonly epoch: number;
  readonly #parts: RunParts;
  readonly #appender: LogAppender;
  readonly #abort = new AbortController();
  readonly #startedAt: number;
  /** What the reply may still say, in code units. */
  #room: number;
  #aborted: AbortReason | null = null;
  readonly #screen: ReplyScreen | null;
  /** All is said, and the verdict on it is awaited. */
  #judging = false;
  /** The end status is stored: a stop that comes now must not cost the title. */
  #inTail: boolean;
  /** Resolves when the run has left: closed, handed over or fenced. Never rejects. */
  readonly done: Promise<void>;
  /** Resolves when the end status is stored, or the run has left without it. */
  readonly settled: Promise<void>;
  #resolveSettled: () => void = () => {};

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.reply = parts.reply;
    this.epoch = parts.epoch;
    this.#inTail = parts.inTail;
    this.#startedAt = parts.clock.monotonic();
    this.#room = LIMITS.replyChars - charsOf(this.#message());
    this.#appender = parts.openAppender(this);
    this.#screen = parts.openScreen?.(() => this.#abortFor("filtered")) ?? null;
    this.settled = new Promise((resolve) => {
      this.#resolveSettled = resolve;
    });
    this.done = this.#run().finally(() => this.#resolveSettled());
  }

  /** Ends the reply as stopped; resolves when that is stored. A reply past its end status is left alone. */
  async stop(): Promise<void> {
    if (!this.#inTail) this.#abortFor("stop");
    await this.settled;
  }

  /** Stores what is there and leaves, so that another process goes on once the lease is released; what is whole ends here. */
  async handOver(): Promise<void> {
    if (this.#judging) await this.#settledWithin(VERDICT_AT_HAND_OVER_MS);
    this.#abortFor("hand-over");
    await this.done;
  }

  /** The lease is another's: what this run still has counts no more. */
  fence(): void {
    this.#abortFor("fenced");
  }

  onCommitted(firstId: number, events: StreamEvent[]): void {
    this.#parts.feed.publish(firstId, events);
  }

  onFenced(): void {
    this.#abortFor("fenced");
  }

  onOverflow(): void {
    this.#abortFor("overflow");
  }

  onFailed(): void {
    this.#abortFor("broken");
  }

  async #settledWithin(ms: number): Promise<void> {
    let cancel = (): void => {};
    const late = new Promise<void>((resolve) => {
      cancel = this.#parts.clock.after(ms, resolve);
    });
    await Promise.race([this.settled, late]);
    cancel();
  }

  #abortFor(reason: AbortReason): void {
    this.#aborted ??= reason;
    if (reason === "fenced" || reason === "broken") this.#aborted = reason;
    // What must not be said does not stay because it was stopped meanwhile.
    if (reason === "filtered" && !isLost(this.#aborted)) this.#aborted = reason;
    this.#abort.abort();
    this.#screen?.hurry();
    this.#parts.title?.abort();
  }

  async #run(): Promise<void> {
    const { decided, title, lines } = this.#parts;
    let fenced = false;
    try {
      const reason = decided ?? (await this.#judge(await this.#produce()));
      fenced = await this.#end(reason);
    } catch (error) {
      fenced = error instanceof Fenced;
      if (!fenced) lines.error({ err: error }, "a reply could not be ended here; it is taken over");
    }
    title?.abort();
    this.#screen?.close();
    this.#appender.close();
    this.#parts.onLeft(this, fenced);
  }

  /** Returns whether the lease was lost. Throws Fenced, and what storing throws. */
  async #end(reason: FinishReason): Promise<boolean> {
    const { ending, decided } = this.#parts;
    if (this.#aborted === "fenced") return true;
    // An end that is known already is quicker stored here than found again elsewhere.
    if (this.#aborted === "hand-over" && decided === undefined) {
      await this.#appender.drained(HAND_OVER_MS);
      return false;
    }
    try {
      if (!this.#inTail) await this.#settle(reason);
      this.#inTail = true;
      this.#resolveSettled();
      await this.#close(reason);
    } catch (error) {
      if (isPassing(error)) throw error;
      this.#parts.lines.error({ err: error }, "the end of a reply cannot be stored; the reply is given up");
      await ending.giveUp();
    }
    return false;
  }

  /** Walks the steps to the end of the list. Never throws: what goes wrong is a reason to end. */
  async #produce(): Promise<FinishReason> {
    const { clock, writer, lines, reply } = this.#parts;
    const cancel = [
      clock.after(Math.max(0, LIMITS.replyProducingMs - reply.produced_ms), () =>
        this.#abortFor("time-limit"),
      ),
      // A new chat comes to light while the model still reads (wire-contract.md §4.5 S0).
      clock.after(emptySnapshotIn(clock.now() - reply.started_at), () => {
        if (this.#aborted === null) this.#write(writer.emptySnapshot());
      }),
    ];
    try {
      const reason = await this.#walk();
      if (this.#aborted !== null) return this.#reasonOfAbort();
      if (reason.kind === "failed" && !writer.hasWords) lines.warn("the model ended without a word");
      return reason;
    } catch (error) {
      if (this.#aborted !== null) return this.#reasonOfAbort();
      if (!(error instanceof ModelError)) lines.error({ err: error }, "producing a reply failed");
      else lines.warn({ failure: error.failure, reason: error.message }, "the model failed");
      return failureReason(error, writer.hasWords);
    } finally {
      for (const one of cancel) one();
      // Whatever went wrong here, nobody listens to the model any more.
      this.#abort.abort();
    }
  }

  /** The end that the reply has once its last words are looked at. */
  async #judge(reason: FinishReason): Promise<FinishReason> {
    if (this.#screen === null || isLost(this.#aborted) || reason.kind === "filtered") return reason;
    const whole = reason.kind === "finished" || reason.kind === "length";
    this.#judging = true;
    const stays = await this.#screen.mayStay(whole ? VERDICT_MS : VERDICT_OF_STOPPED_MS);
    this.#judging = false;
    return stays ? reason : { kind: "filtered" };
  }

  async #walk(): Promise<FinishReason> {
    await this.#screen?.begin(this.#message().fragments, this.#abort.signal);
    const left = [...this.#parts.steps];
    for (let step = left.shift(); step !== undefined; step = left.shift()) {
      const end = await step.run(this.#desk());
      if (end.kind === "finish") return end.reason;
      left.unshift(...end.steps);
      await this.#appender.drained(STEP_STORED_MS);
    }
    return { kind: "finished" };
  }

  #desk(): StepDesk {
    const { writer } = this.#parts;
    return {
      signal: this.#abort.signal,
      message: this.#message(),
      get hasWords() {
        return writer.hasWords;
      },
      say: (kind, words) => this.#say(kind, words),
      endThought: () => {
        if (this.#aborted === null) writer.textWasThought();
      },
      pace: () => this.#screen?.pace() ?? this.#appender.pace(),
      begin: (fragment) => {
        if (!this.#abort.signal.aborted) this.#write(writer.fragment(fragment));
      },
      change: (...events) => {
        if (!this.#abort.signal.aborted) this.#write(events);
      },
    };
  }

  #say(kind: "reasoning" | "text", words: string): void {
    if (words === "" || this.#aborted !== null) return;
    if (!this.#parts.writer.hasRoomFor(kind)) return this.#abortFor("size-limit");
    const fitting = words.length > this.#room ? cutBefore(words, this.#room) : words;
    this.#room -= fitting.length;
    this.#screen?.push(kind, fitting);
    // What completes a word that must not be said is not shown.
    if (this.#isFiltered()) return;
    if (fitting !== "") this.#write(this.#parts.writer[kind](fitting));
    if (fitting !== words) this.#abortFor("size-limit");
    this.#parts.title?.begin();
  }

  #write(events: readonly StreamEvent[]): void {
    for (const event of events) this.#appender.append(event);
  }

  #message() {
    const { message } = this.#parts.feed.state;
    if (message === null) throw new Error(`reply ${this.#parts.reply.id} has no message`);
    return message;
  }

  #isFiltered(): boolean {
    return this.#aborted === "filtered";
  }

  #reasonOfAbort(): FinishReason {
    if (this.#aborted === "time-limit") return { kind: "timeout" };
    if (this.#aborted === "size-limit") return { kind: "length" };
    if (this.#aborted === "filtered") return { kind: "filtered" };
    if (this.#aborted === "overflow") return { kind: "failed", reason: "generation_err" };
    return { kind: "stopped" };
  }

  async #settle(reason: FinishReason): Promise<void> {
    const { ending, writer, reply, clock } = this.#parts;
    this.#write(writer.beforeEnd());
    const pending = await this.#appender.takeRest();
    if (this.#aborted === "broken") return ending.giveUp();
    const spent = Math.round(clock.monotonic() - this.#startedAt);
    await ending.settle(reason, pending, reply.produced_ms + spent);
  }

  /** The generated title is waited for after a finish alone (wire-contract.md §4.6). */
  async #close(reason: FinishReason): Promise<void> {
    const { title, ending, feed } = this.#parts;
    if (feed.closed) return;
    const made = reason.kind === "finished" ? await title?.within(LIMITS.titleWaitMs) : null;
    await ending.close(reason, made ?? null);
  }
}

/** Milliseconds until S0 is due, in a reply that began `ago` by the wall clock: it may have been set back since. */
function emptySnapshotIn(ago: number): number {
  return Math.min(LIMITS.emptySnapshotMs, Math.max(0, LIMITS.emptySnapshotMs - ago));
}

/** The reply is another's, or its words cannot be stored: what they are does not matter here. */
function isLost(reason: AbortReason | null): boolean {
  return reason === "fenced" || reason === "broken" || reason === "hand-over";
}
