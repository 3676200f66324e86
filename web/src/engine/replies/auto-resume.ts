// Follows one reply to its end over as many connections as it takes (wire-contract.md §4.9).
import { LIMITS } from "@plumb/protocol/limits";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { RequestHeader } from "@plumb/protocol/wire/headers";
import {
  ReplyRefusal,
  ResumeGotFullMessage,
  resumeStream,
  type FullMessage,
} from "@plumb/protocol/wire/replies";
import type { ChunkLimits } from "../site/settings-store.ts";
import type { ApiClient, StreamAnswer } from "../api-client.ts";
import { isPassing, type ApiError } from "../api-errors.ts";
import type { Browser } from "../browser.ts";
import { startAttempts, type AttemptSeries } from "./attempt-series.ts";
import { watchChunks } from "./chunk-watchdog.ts";
import { lookUpStream } from "./look-up-stream.ts";
import { readReplyBody } from "./reply-stream.ts";

export type ReplyEnd =
  | { kind: "closed" }
  /** It had ended; this is all of it. */
  | { kind: "full"; full: FullMessage }
  /** The server said no to the send itself. */
  | { kind: "refused"; error: ApiError }
  /** The server said no to resuming. */
  | { kind: "resume-refused"; error: ApiError }
  | { kind: "violation" }
  /** All attempts to get back to it failed. */
  | { kind: "lost" }
  | { kind: "aborted" };

/** What is known of the reply; kept by its owner, read at every attempt. */
export interface FollowedReply {
  sessionId: string;
  /** Null before ready. */
  responseId(): number | null;
  /** The last event applied, 0 when a snapshot is needed. */
  lastEventId(): number;
  /** A new response body begins, of the call with this trace id. */
  onBody(traceId: string): void;
  /** May throw ProtocolError. */
  onEvent(event: ReceivedEvent): void;
  /** Its state can't be trusted any more: the next body shall bring a snapshot. */
  onBroken(): void;
  /** Found by its client_stream_id. */
  onFound(ids: { requestId: number; responseId: number }): void;
  onConnection(connection: "live" | "reconnecting"): void;
}

export interface FollowDeps {
  browser: Browser;
  api: ApiClient;
  chunkLimits(): ChunkLimits;
  readyTimeoutMs(): number;
}

/** A send: what opens the stream, and the id by which a repeat is recognised. Called again for each repeat. */
export interface Send {
  clientStreamId: string;
  open(signal: AbortSignal): Promise<StreamAnswer>;
}

type Connection = { kind: "end"; end: ReplyEnd } | { kind: "lost"; progress: boolean } | { kind: "failed" };

/** Refusals of a resume that end it; any other number is as final but says nothing of the reply. */
const FINAL_CODES = new Set<number>([
  ReplyRefusal.IllegalChatSessionId.code,
  ReplyRefusal.ResumeMessageNotFound.code,
  ReplyRefusal.ResumeTimeTooLong.code,
]);

/**
 * Follows a reply: from its send, or by resuming where `send` is null. Resolves with its end and never rejects;
 * aborting `signal` ends it as "aborted".
 */
export async function followReply(
  deps: FollowDeps,
  reply: FollowedReply,
  send: Send | null,
  signal: AbortSignal,
): Promise<ReplyEnd> {
  const { browser, api } = deps;

  /** One connection from request to the end of its body. */
  async function connect(
    open: (signal: AbortSignal) => Promise<StreamAnswer>,
    resuming: boolean,
  ): Promise<Connection> {
    const connection = new AbortController();
    const abort = (): void => connection.abort();
    signal.addEventListener("abort", abort, { once: true });
    const before = reply.lastEventId();
    let readyCame = false;
    const watchdog = watchChunks(browser, deps.chunkLimits(), abort);
    const tooLong = browser.after(LIMITS.streamTimeoutMs, abort);
    const noReady = resuming ? browser.after(deps.readyTimeoutMs(), abort) : () => {};
    try {
      const answer = await open(connection.signal);
      if (signal.aborted) return { kind: "end", end: { kind: "aborted" } };
      if (answer.kind === "error") return afterError(answer.error, resuming);
      if (answer.kind === "json") {
        if (answer.bizCode !== ResumeGotFullMessage.code) return { kind: "failed" };
        return { kind: "end", end: { kind: "full", full: answer.data as FullMessage } };
      }
      reply.onBody(answer.logId);
      const end = await readReplyBody(answer.body, {
        onChunk: watchdog.touch,
        log: browser.log,
        onEvent(event) {
          if (event.type === "ready") {
            readyCame = true;
            noReady();
            reply.onConnection("live");
          }
          try {
            reply.onEvent(event);
          } catch (error) {
            reply.onBroken();
            throw error;
          }
        },
      });
      if (end === "closed") return { kind: "end", end: { kind: "closed" } };
      if (signal.aborted) return { kind: "end", end: { kind: "aborted" } };
      if (end === "violation") return { kind: "end", end: { kind: "violation" } };
      if (!readyCame) return { kind: "failed" };
      return { kind: "lost", progress: reply.lastEventId() > before };
    } finally {
      connection.abort();
      signal.removeEventListener("abort", abort);
      watchdog.stop();
      tooLong();
      noReady();
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

  function openResume(responseId: number): (signal: AbortSignal) => Promise<StreamAnswer> {
    return (connection) => {
      const last = reply.lastEventId();
      const headers = last > 0 ? { [RequestHeader.LastEventId]: String(last) } : {};
      const input = { chat_session_id: reply.sessionId, message_id: responseId };
      return api.openStream(resumeStream, input, { headers, signal: connection });
    };
  }

  /** One attempt to get back: by its id, by looking the id up, or by sending again what never arrived. */
  async function attempt(): Promise<Connection> {
    const known = reply.responseId();
    if (known !== null) return connect(openResume(known), true);
    if (send === null) return { kind: "end", end: { kind: "lost" } };
    const wanted = { sessionId: reply.sessionId, clientStreamId: send.clientStreamId };
    const found = await lookUpStream(browser, api, wanted, signal);
    if (signal.aborted) return { kind: "end", end: { kind: "aborted" } };
    if (found.kind === "unknown") return connect(send.open, false);
    if (found.kind === "failed") return afterError(found.error, true);
    const { request_message_id: requestId, response_message_id: responseId } = found.stream;
    reply.onFound({ requestId, responseId });
    return connect(openResume(responseId), true);
  }

  let series: AttemptSeries | null = null;
  let connection: Connection = send === null ? { kind: "failed" } : await connect(send.open, false);
  while (connection.kind !== "end") {
    // Only a connection that brought something new starts the count anew: a server that cuts each one
    // after its first words must not be asked in a tight loop.
    if (series === null || (connection.kind === "lost" && connection.progress))
      series = startAttempts(browser);
    if (send !== null || connection.kind === "lost") reply.onConnection("reconnecting");
    if (!(await series.next(signal))) return signal.aborted ? { kind: "aborted" } : { kind: "lost" };
    connection = await attempt();
    if (connection.kind === "failed" && !signal.aborted) reply.onConnection("reconnecting");
  }
  return connection.end;
}
