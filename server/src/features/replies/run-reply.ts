// One run of one reply: pulls the model, feeds the log, owns abort and time limits, settles the end. It knows no request
// and no connection; it ends by itself, by a stop, by a hand-over, or when another process has taken the lease.
import { LIMITS } from "@plumb/protocol/limits";
import type { Logger } from "../../platform/logger.ts";
import { ModelError, type ModelRequest } from "../../ports/model-provider.ts";
import { releaseLease } from "../sessions/lease-store.ts";
import { loadMessages, presentMessage } from "../sessions/message-store.ts";
import type { ReplyRow } from "../sessions/reply-store.ts";
import { buildPrompt, prefixOf } from "./build-prompt.ts";
import { type Joiner, joinContinuation } from "./continue-prefix.ts";
import { type LogOwner, ReplyLog } from "./group-commit.ts";
import type { ReplyContext } from "./reply-context.ts";
import type { Outcome } from "./reply-events.ts";
import type { ReplyFeed } from "./reply-feed.ts";
import { charsOf, cutBefore } from "./reply-size.ts";
import { createReplyWriter, type ReplyWriter } from "./reply-writer.ts";
import { closeReply, type Committed, Fenced, isSettled, settleReply } from "./settle-reply.ts";
import { generateTitle } from "./title-step.ts";

const SETTLE_RETRY_MS = 500;
/** A database that does not answer must not hold up a shutdown. */
const HAND_OVER_MS = 3000;

export interface RunStart {
  reply: ReplyRow;
  epoch: number;
  feed: ReplyFeed;
  /** Ids of the messages from the root to the request. */
  branch: readonly number[];
  /** This run's log holds a snapshot already. */
  snapshotLogged: boolean;
  /** Producing time already spent on the thought that grows, ms. */
  thoughtMs: number;
  /** A title is due and may be asked of the model. */
  wantsTitle: boolean;
  /** The end is known before the model is asked. */
  decided?: Outcome;
  /** Of the request that began the reply; a take-over has none. */
  trace?: string;
  /** The end status is stored: only title and close are missing, and the model is not asked (wire-contract.md §4.6 "Tail"). */
  tail?: boolean;
}

/** Why the model was aborted. */
type Ending = "stop" | "hand-over" | "fenced" | "overflow" | "time-limit" | "size-limit";

export class ReplyRun {
  readonly reply: ReplyRow;
  readonly #context: ReplyContext;
  readonly #start: RunStart;
  /** Lines carry the reply, and the trace id of its request. */
  readonly #lines: Logger;
  readonly #log: ReplyLog;
  readonly #writer: ReplyWriter;
  readonly #abort = new AbortController();
  readonly #titleAbort = new AbortController();
  readonly #startedAt: number;
  /** What the reply may still say, in code units. */
  #room: number;
  #ending: Ending | null = null;
  /** The end status is stored: a stop that comes now must not cost the title. */
  #pastEnd = false;
  /** Resolves when the run has left: closed, handed over or fenced. Never rejects. */
  readonly done: Promise<void>;
  /** Resolves when the end status is stored, or the run has left without it. */
  readonly settled: Promise<void>;
  #resolveSettled: () => void = () => {};

  constructor(context: ReplyContext, start: RunStart) {
    this.#context = context;
    this.#start = start;
    this.reply = start.reply;
    const { trace } = start;
    this.#lines = context.log.child({ reply: start.reply.id, ...(trace === undefined ? {} : { trace }) });
    this.#startedAt = context.ports.clock.monotonic();
    const { message, lastEventId } = start.feed.state;
    if (message === null) throw new Error(`reply ${start.reply.id} has no message`);
    this.#room = LIMITS.replyChars - charsOf(message);
    this.#log = new ReplyLog(context.commit, this.#owner(start), lastEventId + 1);
    this.#writer = createReplyWriter(
      message,
      start.snapshotLogged,
      start.thoughtMs,
      context.ports.clock.monotonic,
    );
    this.settled = new Promise((resolve) => {
      this.#resolveSettled = resolve;
    });
    this.done = this.#run().finally(() => this.#resolveSettled());
  }

  get epoch(): number {
    return this.#start.epoch;
  }

  /** The lease is another's: what this run still has counts no more. */
  fence(): void {
    this.#end("fenced");
  }

  /** Ends the reply as stopped; resolves when that is stored. A reply past its end status is left alone. */
  async stop(): Promise<void> {
    if (!this.#pastEnd) this.#end("stop");
    await this.settled;
  }

  /** Commits what is there and frees the lease, so that another process goes on. */
  async handOver(): Promise<void> {
    this.#end("hand-over");
    await this.done;
  }

  #owner(start: RunStart): LogOwner {
    return {
      reply: start.reply.id,
      epoch: start.epoch,
      onCommitted: (firstId, events) => start.feed.publish(firstId, events),
      onFenced: () => this.#end("fenced"),
      onOverflow: () => this.#end("overflow"),
    };
  }

  #end(ending: Ending): void {
    this.#ending ??= ending;
    if (ending === "fenced") this.#ending = "fenced";
    this.#abort.abort();
    this.#titleAbort.abort();
  }

  async #run(): Promise<void> {
    try {
      const outcome = this.#start.decided ?? (await this.#produce());
      if (this.#ending === "fenced") return this.#leave(true);
      // An end that is known already is quicker stored here than found again elsewhere.
      if (this.#ending === "hand-over" && this.#start.decided === undefined) return await this.#release();
      if (this.#start.tail !== true) await this.#settle(outcome);
      this.#pastEnd = true;
      this.#resolveSettled();
      await this.#close(outcome);
    } catch (error) {
      if (error instanceof Fenced) return this.#leave(true);
      this.#lines.error({ err: error }, "a reply could not be ended here; it is taken over");
      this.#leave();
    }
  }

  /** Pulls the model to its end. Never throws: what goes wrong is an outcome. */
  async #produce(): Promise<Outcome> {
    const { ports } = this.#context;
    const spent = this.reply.produced_ms;
    const cancelLimit = ports.clock.after(Math.max(0, LIMITS.replyProducingMs - spent), () =>
      this.#end("time-limit"),
    );
    try {
      const request = await this.#request();
      return await this.#pull(request);
    } catch (error) {
      if (this.#abort.signal.aborted) return this.#aborted();
      if (!(error instanceof ModelError)) this.#lines.error({ err: error }, "producing a reply failed");
      else this.#lines.warn({ failure: error.failure, reason: error.message }, "the model failed");
      return failed(error, this.#writer.hasFragment);
    } finally {
      cancelLimit();
      // Whatever went wrong here, nobody listens to the model any more.
      this.#abort.abort();
    }
  }

  #aborted(): Outcome {
    if (this.#ending === "time-limit") return { kind: "timeout" };
    if (this.#ending === "size-limit") return { kind: "length" };
    if (this.#ending === "overflow") return { kind: "failed", reason: "generation_err" };
    return { kind: "stopped" };
  }

  async #request(): Promise<ModelRequest> {
    const rows = await loadMessages(this.#context.db.kysely, this.reply.session_id, this.#start.branch);
    const request = buildPrompt(this.reply, rows.map(presentMessage));
    const message = this.#start.feed.state.message;
    const prefix = message === null ? undefined : prefixOf(message);
    return prefix === undefined ? request : { ...request, prefix };
  }

  #title: Promise<string | null> | null = null;

  /** Once the answer has begun: a model that takes one call at a time must not make the title before it. */
  #beginTitle(request: ModelRequest): void {
    if (!this.#start.wantsTitle) return;
    const prompt = request.messages.findLast((message) => message.role === "user")?.content ?? "";
    this.#title ??= generateTitle(this.#context.ports.model, prompt, this.#titleAbort.signal);
  }

  async #pull(request: ModelRequest): Promise<Outcome> {
    const { model } = this.#context.ports;
    const style = model.info().continuation;
    const answer = joinContinuation(request.prefix?.answer ?? "", style);
    const thought = joinContinuation(request.prefix?.answer === "" ? request.prefix.reasoning : "", style);
    // A model that thinks anew before it goes on with an answer: the reader has the answer begun already.
    const dropsThought = (request.prefix?.answer ?? "") !== "";
    let reason: "stop" | "length" | "filter" | null = null;
    const generation = model.generate(request, this.#abort.signal)[Symbol.asyncIterator]();
    for (let step = await generation.next(); step.done !== true; step = await generation.next()) {
      for (const chunk of step.value) {
        if (chunk.type === "text") {
          this.#add("reasoning", thought.end());
          this.#add("text", answer.push(chunk.text));
        } else if (chunk.type === "reasoning") {
          if (!dropsThought) this.#add("reasoning", thought.push(chunk.text));
        } else if (chunk.type === "end") reason = chunk.reason;
      }
      this.#beginTitle(request);
    }
    if (this.#abort.signal.aborted) return this.#aborted();
    this.#flushHeld(thought, answer);
    if (reason === "filter") return { kind: "filtered" };
    if (reason === "length") return { kind: "length" };
    // An end without a word is no answer.
    if (!this.#writer.hasFragment) this.#lines.warn("the model ended without a word");
    return this.#writer.hasFragment ? { kind: "finished" } : { kind: "failed", reason: "generation_err" };
  }

  #flushHeld(thought: Joiner, answer: Joiner): void {
    this.#add("reasoning", thought.end());
    this.#add("text", answer.end());
  }

  #add(kind: "reasoning" | "text", piece: string): void {
    if (piece === "" || this.#ending !== null) return;
    const fitting = piece.length > this.#room ? cutBefore(piece, this.#room) : piece;
    this.#room -= fitting.length;
    if (fitting !== "") for (const event of this.#writer[kind](fitting)) this.#log.append(event);
    if (fitting !== piece) this.#end("size-limit");
  }

  async #settle(outcome: Outcome): Promise<void> {
    const { reply, epoch, feed } = this.#start;
    for (const event of this.#writer.beforeEnd()) this.#log.append(event);
    const pending = await this.#log.takeRest();
    await this.#untilStored(async () => {
      // A settlement whose answer was lost has happened: a second one would say its text and its end again.
      if (await isSettled(this.#context.db, reply)) {
        await this.#context.feeds.pull(reply.id);
        return;
      }
      const committed = await settleReply(this.#context, {
        reply,
        epoch,
        outcome,
        state: feed.state,
        pending,
        hasFragment: this.#writer.hasFragment,
        nextFragmentId: this.#writer.nextFragmentId,
        producedMs: reply.produced_ms + Math.round(this.#context.ports.clock.monotonic() - this.#startedAt),
      });
      this.#publish(committed);
    });
  }

  async #close(outcome: Outcome): Promise<void> {
    const { reply, epoch, feed } = this.#start;
    const title = outcome.kind === "finished" ? await this.#awaitTitle() : null;
    this.#titleAbort.abort();
    await this.#untilStored(async () => {
      if (feed.closed) return;
      this.#publish(
        await closeReply(this.#context, {
          reply,
          epoch,
          outcome,
          lastEventId: feed.state.lastEventId,
          title,
        }),
      );
    });
    this.#leave();
  }

  /** The generated title, waited for at most 3 s after the finish (wire-contract.md §4.6). */
  async #awaitTitle(): Promise<string | null> {
    let cancel = (): void => {};
    const waited = new Promise<null>((resolve) => {
      cancel = this.#context.ports.clock.after(LIMITS.titleWaitMs, () => resolve(null));
    });
    const title = await Promise.race([this.#title, waited]);
    cancel();
    return title;
  }

  /** Tries until the database has taken it: the reply keeps its lease meanwhile. */
  async #untilStored(write: () => Promise<void>): Promise<void> {
    const { ports, live } = this.#context;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (error instanceof Fenced || live.closing) throw error;
        this.#lines.warn({ err: error }, "storing the end of a reply failed; it is tried again");
        await new Promise<void>((resolve) => ports.clock.after(SETTLE_RETRY_MS, resolve));
        await this.#context.feeds.pull(this.reply.id);
      }
    }
  }

  #publish({ firstId, events }: Committed): void {
    this.#start.feed.publish(firstId, events);
  }

  async #release(): Promise<void> {
    const { db, owner, commit } = this.#context;
    await this.#log.drained(HAND_OVER_MS);
    await commit.exclusive(() => releaseLease(db.kysely, this.reply.id, owner, this.epoch));
    this.#leave();
  }

  #leave(fenced = false): void {
    this.#titleAbort.abort();
    // A stop may have put another run in the place of this one.
    const { live, feeds } = this.#context;
    if (live.get(this.reply.id) !== this) return;
    feeds.makeRemote(this.reply.id);
    // Deleted with its session: no log will tell the readers, so that they are let go now.
    if (fenced) void feeds.pull(this.reply.id);
  }
}

/** What the reader is told of a failure (wire-contract.md §4.6): before the first token its cause, later only that it broke off. */
function failed(error: unknown, begun: boolean): Outcome {
  const failure = error instanceof ModelError ? error.failure : "unavailable";
  if (failure === "stall") return { kind: "timeout" };
  if (failure === "context_length") return { kind: "context_length" };
  if (begun) return { kind: "failed", reason: "generation_err" };
  if (failure === "busy") return { kind: "failed", reason: "server_busy" };
  if (failure === "rate_limited") return { kind: "failed", reason: "rate_limit_reached" };
  return { kind: "failed", reason: "generation_err" };
}
