// Follows one reply to its end over as many connections as it takes (wire-contract.md §4.9).
import { LIMITS } from "@plumb/protocol/limits";
import type { ReplyState } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { RequestHeader } from "@plumb/protocol/wire/headers";
import {
  ReplyRefusal,
  ResumeGotFullMessage,
  resumeStream,
  type FullMessage,
} from "@plumb/protocol/wire/replies";
import type { ApiClient, CallOptions, StreamAnswer } from "../api-client.ts";
import { isPassing, type ApiError } from "../api-errors.ts";
import type { ChunkLimits } from "../site/settings-store.ts";
import { startAttempts, type AttemptSeries } from "./attempt-series.ts";
import { watchChunks } from "./chunk-watchdog.ts";
import { lookUpStream } from "./look-up-stream.ts";
import type { ReplyReader } from "./reply-reader.ts";
import { createUnseenRest, type RestDeps } from "./unseen-rest.ts";

export type ReplyEnd =
  | { kind: "closed" }
  /** It had ended; this is all of it. */
  | { kind: "full"; full: FullMessage }
  /** The server refused the request itself. */
  | { kind: "refused"; error: ApiError }
  /** The server refused to resume. */
  | { kind: "resume-refused"; error: ApiError }
  | { kind: "violation" }
  /** All attempts to get back to it failed. */
  | { kind: "lost" }
  | { kind: "aborted" };

export type ReplyNews =
  /** `traceId` is that of the response the event came on. */
  | { kind: "event"; event: ReceivedEvent; reply: ReplyState; traceId: string }
  /** The ids of a reply whose request was cut before ready. */
  | { kind: "found"; reply: ReplyState }
  | { kind: "connection"; connection: "live" | "reconnecting" }
  /** Always the last one. */
  | { kind: "end"; end: ReplyEnd };

export interface FollowDeps extends RestDeps {
  api: ApiClient;
  chunkLimits(): ChunkLimits;
  readyTimeoutMs(): number;
  reader: ReplyReader;
}

/** The request that begins a reply. */
export interface ReplyRequest {
  /** By which the server recognises a repeat; null where the call has none. */
  clientStreamId: string | null;
  /** Opens the stream; called again for each repeat. `onHeld` as in the options of a call. */
  open(signal: AbortSignal, onHeld: OnHeld): Promise<StreamAnswer>;
}

export type OnHeld = NonNullable<CallOptions["onHeld"]>;

export interface FollowTarget {
  sessionId: string;
  /** What is known of the reply: where the fold starts. */
  from: ReplyState;
  /** Null: the reply runs already and is resumed. */
  request: ReplyRequest | null;
}

type Connection = { kind: "end"; end: ReplyEnd } | { kind: "lost"; progress: boolean } | { kind: "failed" };

const ABORTED: Connection = { kind: "end", end: { kind: "aborted" } };

/** Refusals of a resume that end it; any other number is as final but does not concern the reply. */
const FINAL_CODES = new Set<number>([
  ReplyRefusal.IllegalChatSessionId.code,
  ReplyRefusal.ResumeMessageNotFound.code,
  ReplyRefusal.ResumeTimeTooLong.code,
]);

/**
 * Yields what happens to a reply: its events folded one by one, the changes of the connection, and one end. Never
 * rejects; aborting `signal` ends it as "aborted".
 */
export async function* followReply(
  deps: FollowDeps,
  target: FollowTarget,
  signal: AbortSignal,
): AsyncGenerator<ReplyNews, void, void> {
  const { browser, api } = deps;
  const { sessionId, request } = target;
  let reply = target.from;
  let live = true;
  let series: AttemptSeries | null = null;
  // Where it was sent from, the connection stays that of the request.
  const rest = request === null ? createUnseenRest(deps, sessionId) : null;

  function* changeConnection(connection: "live" | "reconnecting"): Generator<ReplyNews, void, void> {
    if (live === (connection === "live")) return;
    live = !live;
    yield { kind: "connection", connection };
  }

  /** One connection from request to the end of its body. */
  async function* connect(
    open: ReplyRequest["open"],
    resuming: boolean,
  ): AsyncGenerator<ReplyNews, Connection, void> {
    const connection = new AbortController();
    const abort = (): void => connection.abort();
    signal.addEventListener("abort", abort, { once: true });
    const before = reply.lastEventId;
    let readyCame = false;
    const startTimes = () => ({
      watchdog: watchChunks(browser, deps.chunkLimits(), abort),
      cancelTimeout: browser.after(LIMITS.streamTimeoutMs, abort),
      cancelReadyTimeout: resuming ? browser.after(deps.readyTimeoutMs(), abort) : () => {},
    });
    function stopTimes(): void {
      times.watchdog.stop();
      times.cancelTimeout();
      times.cancelReadyTimeout();
    }
    let times = startTimes();
    const stopRest = rest?.watch(abort);
    try {
      // Beside the request: nothing waits for it then.
      const bringing = deps.reader.get();
      const answer = await open(connection.signal, (held) => {
        stopTimes();
        if (!held) times = startTimes();
      });
      if (signal.aborted) return ABORTED;
      if (answer.kind === "error") return afterError(answer.error, resuming);
      if (answer.kind === "json") {
        if (answer.bizCode !== ResumeGotFullMessage.code) return { kind: "failed" };
        return { kind: "end", end: { kind: "full", full: answer.data as FullMessage } };
      }
      // It still runs, which is all that was asked.
      if (rest?.goesOn()) return { kind: "failed" };
      const readReplyBody = bringing instanceof Promise ? await bringing : bringing;
      if (signal.aborted) return ABORTED;
      if (readReplyBody === null) return { kind: "failed" };
      const hooks = { onChunk: times.watchdog.touch, log: browser.log };
      const body = readReplyBody(answer.body, reply, hooks);
      let next = await body.next();
      for (; !next.done; next = await body.next()) {
        if (signal.aborted) return ABORTED;
        reply = next.value.reply;
        if (next.value.event.type === "ready") {
          readyCame = true;
          times.cancelReadyTimeout();
          yield* changeConnection("live");
        }
        yield { kind: "event", ...next.value, traceId: answer.logId };
      }
      reply = next.value.reply;
      const { end } = next.value;
      if (end === "closed") return { kind: "end", end: { kind: "closed" } };
      if (signal.aborted) return ABORTED;
      if (end === "violation") return { kind: "end", end: { kind: "violation" } };
      if (!readyCame) return { kind: "failed" };
      return { kind: "lost", progress: reply.lastEventId > before };
    } finally {
      connection.abort();
      signal.removeEventListener("abort", abort);
      stopTimes();
      stopRest?.();
    }
  }

  function afterError(error: ApiError, resuming: boolean): Connection {
    // Our own abort of this one connection (watchdog, no ready) is a lost connection like any other.
    if (error.kind === "network" || error.kind === "aborted") return { kind: "failed" };
    if (isPassing(error) && (resuming || series !== null)) return { kind: "failed" };
    if (!resuming) return { kind: "end", end: { kind: "refused", error } };
    const final = error.kind === "refused" && error.scope === "call" && FINAL_CODES.has(error.code);
    return { kind: "end", end: final ? { kind: "resume-refused", error } : { kind: "lost" } };
  }

  function openResume(responseId: number): ReplyRequest["open"] {
    return (connection, onHeld) => {
      const last = reply.lastEventId;
      const headers = last > 0 ? { [RequestHeader.LastEventId]: String(last) } : {};
      const input = { chat_session_id: sessionId, message_id: responseId };
      return api.openStream(resumeStream, input, { headers, signal: connection, onHeld });
    };
  }

  /** One attempt to get back: by the reply's id, by looking the id up, or by sending again what never arrived. */
  async function* attempt(): AsyncGenerator<ReplyNews, Connection, void> {
    const known = reply.responseMessageId;
    if (known !== null) return yield* connect(openResume(known), true);
    if (request === null) return { kind: "end", end: { kind: "lost" } };
    const { clientStreamId } = request;
    // A continue has no id of its own: sent again, it resumes what the first one began.
    if (clientStreamId === null) return yield* connect(request.open, false);
    const found = await lookUpStream(browser, api, { sessionId, clientStreamId }, signal);
    if (signal.aborted) return ABORTED;
    if (found.kind === "unknown") return yield* connect(request.open, false);
    if (found.kind === "failed") return afterError(found.error, true);
    const { request_message_id: requestMessageId, response_message_id: responseMessageId } = found.stream;
    reply = { ...reply, requestMessageId, responseMessageId };
    yield { kind: "found", reply };
    return yield* connect(openResume(responseMessageId), true);
  }

  let connection: Connection = request === null ? { kind: "failed" } : yield* connect(request.open, false);
  while (connection.kind !== "end") {
    if (rest?.goesOn()) {
      await rest.wait(signal);
      series = startAttempts(browser);
    } else {
      // Only a connection that brought something new starts the count again: a server that cuts each one
      // after its first words must not be asked in a tight loop.
      if (series === null || (connection.kind === "lost" && connection.progress))
        series = startAttempts(browser);
      if (request !== null || connection.kind === "lost") yield* changeConnection("reconnecting");
    }
    if (!(await series.next(signal))) {
      yield { kind: "end", end: signal.aborted ? { kind: "aborted" } : { kind: "lost" } };
      return;
    }
    connection = yield* attempt();
    if (connection.kind === "failed" && !signal.aborted && !rest?.goesOn())
      yield* changeConnection("reconnecting");
  }
  yield { kind: "end", end: connection.end };
}
