// The running replies of the fake server: one log of events each, written event by event to every reader.
import type { Message } from "@plumb/protocol/conversation/message";
import { createEncoder, type EventStreamEncoder } from "@plumb/protocol/stream/event-stream-encoder";
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import { snapshotDelta, type NumberedEvent, type StreamEvent } from "@plumb/protocol/stream/stream-event";
import { openBody } from "./fake-answers.ts";

interface Reader {
  body: ReturnType<typeof openBody>;
  encoder: EventStreamEncoder;
}

export interface ReplyLog {
  sessionId: string;
  clientStreamId: string | null;
  requestId: number;
  responseId: number;
  /** All events of the reply; the first `produced` of it is in the log. */
  events: NumberedEvent[];
  produced: number;
  readers: Reader[];
}

export type ReplyLogs = ReturnType<typeof createReplyLogs>;

export function createReplyLogs() {
  const all: ReplyLog[] = [];

  /** The message as the log has it so far; null before its snapshot. */
  function folded({ events, produced }: Pick<ReplyLog, "events" | "produced">): Message | null {
    let state = emptyReply();
    for (const event of events.slice(0, produced)) state = reduceReply(state, event);
    return state.message;
  }

  function isRunning(reply: ReplyLog): boolean {
    return reply.produced < reply.events.length && (folded(reply)?.status ?? "WIP") === "WIP";
  }

  /** The title that the log has, null where it has none yet. */
  function titleOf(reply: ReplyLog | undefined): string | null {
    const event = reply?.events.slice(0, reply.produced).findLast(({ type }) => type === "title");
    return event?.type === "title" ? event.data.content : null;
  }

  /** A new log without an event. */
  function begin(init: Omit<ReplyLog, "produced" | "readers">): ReplyLog {
    const reply: ReplyLog = { ...init, produced: 0, readers: [] };
    all.push(reply);
    return reply;
  }

  /** A log is replaced by that of the message's continuation. */
  function remove(reply: ReplyLog): void {
    all.splice(all.indexOf(reply), 1);
  }

  /** A reader of a reply that has just begun. */
  function read(reply: ReplyLog, signal: AbortSignal | undefined): Response {
    const body = openBody(signal);
    reply.readers.push({ body, encoder: createEncoder() });
    return body.response;
  }

  /** A reader that comes later: what it missed after `lastId`, or without it the snapshot and what ended it. */
  function attach(reply: ReplyLog, signal: AbortSignal | undefined, lastId: number | null): Response {
    const body = openBody(signal);
    const encoder = createEncoder();
    const push = (event: StreamEvent, id: number | null): void => body.push(encoder.encode(event, id));
    push(reply.events[0]!, null);
    const log = reply.events.slice(0, reply.produced);
    if (lastId !== null) {
      for (const event of log) if (event.id > lastId) push(event, event.id);
    } else if (folded(reply) !== null) {
      // After the end the snapshot still says WIP: what ends it follows (wire-contract.md §11.2).
      const end = log.findIndex(isEnd);
      const upTo = end === -1 ? reply.produced : end;
      const state = folded({ events: reply.events, produced: upTo });
      if (state !== null) push({ type: "delta", data: snapshotDelta(state) }, reply.events[upTo - 1]!.id);
      for (const event of log.slice(upTo)) push(event, event.id);
    }
    reply.readers.push({ body, encoder });
    if (reply.produced === reply.events.length) body.end();
    return body.response;
  }

  /** Writes the next events of the last reply to its log and to every reader. */
  function produce(count: number, reply = all.at(-1)): void {
    if (reply === undefined) throw new Error("no reply runs");
    for (let i = 0; i < count && reply.produced < reply.events.length; i++) {
      const event = reply.events[reply.produced++]!;
      for (const { body, encoder } of reply.readers) body.push(encoder.encode(event, event.id));
      if (event.type === "close") for (const { body } of reply.readers) body.end();
    }
  }

  /**
   * Ends a reply as wire-contract.md §4.6 says for a stop. `stored`: its message before the log's first snapshot; `title`:
   * what is due at the end, null when nothing is.
   */
  function stop(reply: ReplyLog, stored: Message | undefined, title: string | null): void {
    const log = reply.events.slice(0, reply.produced);
    const last = folded(reply)?.fragments.at(-1);
    const thinks = last?.type === "THINK" && "elapsed_secs" in last && last.elapsed_secs === null;
    const end = [
      { p: "accumulated_token_usage", v: 57 },
      { p: "quasi_status", v: "INCOMPLETE" },
      { p: "stopped", v: true },
    ];
    const tail: StreamEvent[] = [
      ...(thinks ? [delta("response/fragments/-1/elapsed_secs", "SET", 0.8)] : []),
      delta("response", "BATCH", end),
      delta("response/status", "SET", "INCOMPLETE"),
      { type: "update_session", data: { updated_at: 1_790_000_020 } },
      ...(title === null ? [] : [{ type: "title" as const, data: { content: title } }]),
      { type: "close", data: { click_behavior: "none", auto_resume: false } },
    ];
    // The log has no snapshot yet: S0, or all that a continued message held before.
    if (folded(reply) === null && stored !== undefined)
      tail.unshift({ type: "delta", data: snapshotDelta(stored) });
    const nextId = reply.events[0]!.id + log.length;
    reply.events = [...log, ...tail.map((event, index) => ({ ...event, id: nextId + index }))];
    produce(tail.length);
  }

  /** Breaks every open connection. */
  function cut(): void {
    for (const reply of all) for (const { body } of reply.readers.splice(0)) body.cut();
  }

  return { all, folded, isRunning, titleOf, begin, remove, read, attach, produce, stop, cut };
}

const delta = (p: string, o: "SET" | "BATCH", v: unknown): StreamEvent => ({
  type: "delta",
  data: { p, o, v },
});

function isEnd(event: NumberedEvent): boolean {
  return event.type === "delta" && event.data.p === "response" && event.data.o === "BATCH";
}
