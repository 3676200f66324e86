// One client's view of one reply, over as many connections as it takes (wire-contract.md §4.2, §4.9), with everything it saw.
import type { IncomingMessage } from "node:http";
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import { isSnapshot, nextReader } from "@plumb/protocol/stream/delta";
import { type ReplyState, emptyReply } from "@plumb/protocol/stream/reply-state";
import { createByteDecoder } from "@plumb/protocol/stream/event-stream-decoder";
import { reduceReply, startResponse } from "@plumb/protocol/stream/reply-reducer";
import type { ReceivedEvent, StreamEvent } from "@plumb/protocol/stream/stream-event";
import { type Answer, type Json, readAnswer } from "./answer.ts";
import { ConnectionLost, readJson } from "./http-call.ts";

/** What a reader needs of the person it reads for. */
export interface ReplyCaller {
  /** The envelope of a call. Throws ConnectionLost. */
  call(path: string, body?: Json): Promise<Answer>;
  /** The head of an answer, its body unread. Throws ConnectionLost. */
  open(path: string, body?: Json, headers?: Record<string, string>): Promise<IncomingMessage>;
  /** A header with a solved puzzle, good for one message. */
  proof(): Promise<Record<string, string>>;
}

export interface ReadOptions {
  /** Whether a resume sends Last-Event-ID; a function decides each time. Default: always. */
  withLastEventId?: boolean | (() => boolean);
  /** Before the next attempt, ms; a function gets the number of failed ones since the last event. */
  retryMs?: number | ((failed: number) => number);
  /** Given up after so long without an end, ms. */
  limitMs?: number;
  /** False: only counted, for benchmarks. */
  checked?: boolean;
  onEvent?: (event: ReceivedEvent) => void;
}

export interface ReaderOptions extends ReadOptions {
  sessionId: string;
  prompt: string;
  parentId?: number | null;
  thinking?: boolean;
  search?: boolean;
  clientStreamId: string | null;
}

/**
 * How it ended for this client: `close` was read; the whole message was answered (22); the reply or its session is
 * unknown; the send was refused; nothing of that came within the limit; or the client left.
 */
export type ReaderEnd = "closed" | "full_message" | "gone" | "refused" | "given_up" | "left";

const resumeCodes = { fullMessage: 22, gone: new Set([1, 7, 8]) };

export class ReplyReader {
  readonly options: ReaderOptions;
  state: ReplyState = emptyReply();
  /** Events as the log has them (explicit), by id; snapshots are in `snapshots`. */
  readonly events = new Map<number, StreamEvent>();
  readonly snapshots: { id: number; message: Message }[] = [];
  /** Problems: text that shrank, a gap, a frame that cannot be read. */
  readonly problems: string[] = [];
  /** True once any `ready` was read. */
  ready = false;
  responses = 0;
  closes = 0;
  end: ReaderEnd | null = null;
  fullMessage: Message | null = null;
  refusal: Answer | null = null;
  /** Resolves at the end of any kind. Never rejects. */
  done: Promise<void> = Promise.resolve();
  readonly #client: ReplyCaller;
  #seenText: { type: string; content: string }[] = [];
  #messageId: number | null = null;
  #sent = false;
  #current: IncomingMessage | null = null;

  constructor(client: ReplyCaller, options: ReaderOptions) {
    this.#client = client;
    this.options = options;
  }

  /** Sends, then follows. */
  start(): void {
    this.done = this.#follow();
  }

  /** Follows a reply that is there; `known` is what the client has of it already. */
  startAt(messageId: number, known: ReplyState = emptyReply()): void {
    this.#messageId = messageId;
    this.state = known;
    this.#checkGrowth(known.message?.fragments ?? [], "what was known");
    this.done = this.#follow();
  }

  /** Cuts the connection as a bad network does; the reader resumes. */
  drop(): void {
    this.#current?.destroy();
  }

  /** Closes the connection and does not resume. */
  leave(): void {
    this.end ??= "left";
    this.#current?.destroy();
  }

  /** Texts of the fragments of a type, joined. */
  textOf(type: "THINK" | "RESPONSE"): string {
    return textOf(this.fullMessage ?? this.state.message, type);
  }

  async #follow(): Promise<void> {
    const { limitMs = 60_000, retryMs = 50 } = this.options;
    const deadline = performance.now() + limitMs;
    let failed = 0;
    let heard = this.responses;
    while (this.end === null) {
      try {
        if (this.#messageId === null) await this.#send();
        else await this.#resume(this.#messageId);
      } catch (error) {
        if (!(error instanceof ConnectionLost)) this.problems.push(`the client failed: ${String(error)}`);
      }
      if (this.end !== null) return;
      if (performance.now() > deadline) {
        this.end = "given_up";
        return;
      }
      failed = this.responses === heard ? failed + 1 : 0;
      heard = this.responses;
      await new Promise((resolve) =>
        setTimeout(resolve, typeof retryMs === "number" ? retryMs : retryMs(failed)),
      );
    }
  }

  async #send(): Promise<void> {
    const { sessionId, prompt, parentId, thinking, search, clientStreamId } = this.options;
    if (clientStreamId === null) throw new Error("A send has a client_stream_id.");
    // Half of those who do not know whether the server got it look it up; the others just send it again.
    if (this.#sent && clientStreamId.charCodeAt(clientStreamId.length - 1) % 2 === 0) {
      const found = await this.#client.call("/api/v0/chat/get_client_streams", {
        chat_session_id: sessionId,
        client_stream_ids: [clientStreamId],
      });
      const streams = (found.biz?.data?.["client_streams"] ?? []) as { response_message_id: number }[];
      const known = streams[0]?.response_message_id;
      if (known !== undefined) {
        this.#messageId = known;
        return;
      }
      if (found.biz?.code === 1) this.end = "gone";
      if (this.end !== null) return;
    }
    const proof = await this.#client.proof();
    const body = {
      chat_session_id: sessionId,
      prompt,
      parent_message_id: parentId ?? null,
      thinking_enabled: thinking ?? false,
      search_enabled: search ?? false,
      client_stream_id: clientStreamId,
    };
    this.#sent = true;
    const incoming = await this.#client.open("/api/v0/chat/completion", body, proof);
    if (isStream(incoming)) return this.#read(incoming);
    const answer = readAnswer(incoming.statusCode ?? 0, await readJson(incoming));
    // Too many requests, or a server that is shutting down: later.
    if (answer.status === 429 || answer.status >= 500) return;
    this.refusal = answer;
    this.end = answer.biz?.code === 1 ? "gone" : "refused";
  }

  async #resume(messageId: number): Promise<void> {
    const { withLastEventId = true, sessionId } = this.options;
    const tells = typeof withLastEventId === "function" ? withLastEventId() : withLastEventId;
    const position: Record<string, string> =
      tells && this.state.lastEventId > 0 ? { "last-event-id": String(this.state.lastEventId) } : {};
    const body = { chat_session_id: sessionId, message_id: messageId };
    const incoming = await this.#client.open("/api/v0/chat/resume_stream", body, position);
    if (isStream(incoming)) return this.#read(incoming);
    const answer = readAnswer(incoming.statusCode ?? 0, await readJson(incoming));
    if (answer.biz?.code === resumeCodes.fullMessage) {
      this.fullMessage = answer.biz.data?.["message"] as Message;
      this.#checkGrowth(this.fullMessage.fragments, "the whole message");
      this.end = "full_message";
    } else if (answer.biz !== null && resumeCodes.gone.has(answer.biz.code)) this.end = "gone";
    else if (answer.status !== 429 && answer.status < 500) {
      this.problems.push(`resume_stream answered ${JSON.stringify(answer)}`);
    }
  }

  async #read(incoming: IncomingMessage): Promise<void> {
    this.responses += 1;
    this.#current = incoming;
    this.state = startResponse(this.state);
    let first = true;
    const decoder = createByteDecoder({
      onEvent: (event) => {
        if (first && event.type !== "ready") this.problems.push(`a response begins with ${event.type}`);
        first = false;
        this.#take(event);
      },
      onBad: (frame) => this.problems.push(`a bad frame: ${frame.reason}`),
    });
    try {
      for await (const part of incoming) decoder.push(part as Buffer);
    } catch (error) {
      // A cut body is expected: it resumes.
      if (!(error instanceof Error)) throw error;
    } finally {
      decoder.end();
    }
    if (this.closes > 0) this.end = "closed";
  }

  #take(event: ReceivedEvent): void {
    this.options.onEvent?.(event);
    if (event.type === "close") this.closes += 1;
    if (event.type === "ready") {
      this.ready = true;
      this.#messageId = event.data.response_message_id;
    }
    if (this.options.checked === false) {
      if (event.id !== null) this.state = { ...this.state, lastEventId: event.id };
      return;
    }
    const before = this.state;
    const snapshot = event.type === "delta" && isSnapshot(before.reader, event.data);
    if (event.id !== null && !snapshot) this.#checkOrder(event.id, before.lastEventId);
    try {
      this.state = reduceReply(before, event);
    } catch (error) {
      this.problems.push(`event ${event.id} cannot be applied: ${String(error)}`);
      return;
    }
    this.#record(event, before, snapshot);
    this.#checkGrowth(this.state.message?.fragments ?? [], `event ${event.id}`);
  }

  #checkOrder(id: number, lastEventId: number): void {
    if (id > lastEventId + 1) this.problems.push(`a gap: event ${id} after ${lastEventId}`);
    if (id <= lastEventId) this.problems.push(`event ${id} came again after ${lastEventId}`);
  }

  #record(event: ReceivedEvent, before: ReplyState, snapshot: boolean): void {
    if (event.id === null) return;
    const { id, ...plain } = event;
    if (snapshot && this.state.message !== null) {
      this.snapshots.push({ id, message: this.state.message });
      return;
    }
    const explicit: StreamEvent =
      plain.type === "delta"
        ? { type: "delta", data: { ...nextReader(before.reader, plain.data), v: plain.data.v } }
        : plain;
    this.events.set(id, explicit);
  }

  /** What was once shown stays: fragments keep their order and type, and texts only grow. */
  #checkGrowth(fragments: readonly Fragment[], where: string): void {
    const now = fragments.map((fragment) => ({ type: fragment.type, content: contentOf(fragment) }));
    this.#seenText.forEach((seen, index) => {
      const later = now[index];
      if (later?.type !== seen.type || !later.content.startsWith(seen.content)) {
        this.problems.push(
          `${where}: fragment ${index} was ${seen.type} ${JSON.stringify(seen.content.slice(-60))} and is ` +
            `${later?.type} ${JSON.stringify(later?.content.slice(-60))}`,
        );
      }
    });
    this.#seenText = now;
  }
}

function contentOf(fragment: Fragment): string {
  return "content" in fragment && typeof fragment["content"] === "string" ? fragment["content"] : "";
}

/** Texts of a message's fragments of one type, joined. */
export function textOf(message: Message | null, type: "THINK" | "RESPONSE"): string {
  return (message?.fragments ?? []).map((part) => (part.type === type ? contentOf(part) : "")).join("");
}

function isStream(incoming: IncomingMessage): boolean {
  return String(incoming.headers["content-type"]).startsWith("text/event-stream");
}
