// A server for engine tests: keeps one event log per reply, lets a test produce events one by one and cut connections.
import type { Message } from "@plumb/protocol/conversation/message";
import { createEncoder, type EventStreamEncoder } from "@plumb/protocol/stream/event-stream-encoder";
import { emptyReply, reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { snapshotDelta, type NumberedEvent, type StreamEvent } from "@plumb/protocol/stream/stream-event";
import type { FetchInit } from "../browser.ts";
import { sha256Ascii } from "../guard/sha256.ts";
import type { Network } from "./fake-browser.ts";
import { continuedReply } from "./fake-replies.ts";
import { wireMessage } from "./wire-message.ts";

export interface Request {
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  signal: AbortSignal | undefined;
}

type Handler = (request: Request) => Response | Promise<Response>;

export const LOG_ID = "0123456789abcdef0123456789abcdef";
const HEADERS = { "content-type": "application/json; charset=utf-8", "x-ds-trace-id": LOG_ID };

export function ok(data: unknown, bizCode = 0): Response {
  const envelope = {
    code: 0,
    msg: "",
    data: { biz_code: bizCode, biz_msg: "", biz_data: data, code: bizCode },
    context: { logId: LOG_ID },
  };
  return new Response(JSON.stringify(envelope), { headers: HEADERS });
}

export function refused(code: number, msg: string, data: unknown = null): Response {
  const envelope = {
    code: 0,
    msg: "",
    data: { biz_code: code, biz_msg: msg, biz_data: data, code },
    context: { logId: LOG_ID },
  };
  return new Response(JSON.stringify(envelope), { headers: HEADERS });
}

export function globalError(code: number, msg: string, status = 200, data: unknown = null): Response {
  return new Response(JSON.stringify({ code, msg, data, context: { logId: LOG_ID } }), {
    status,
    headers: HEADERS,
  });
}

/** A body the test writes by hand. */
export function openBody(signal: AbortSignal | undefined) {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let open = true;
  const stream = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: () => {
      open = false;
    },
  });
  const stop = (how: () => void): void => {
    if (open) how();
    open = false;
  };
  signal?.addEventListener("abort", () =>
    stop(() => controller.error(new DOMException("aborted", "AbortError"))),
  );
  return {
    response: new Response(stream, {
      headers: { ...HEADERS, "content-type": "text/event-stream; charset=utf-8" },
    }),
    isOpen: (): boolean => open,
    push: (text: string): void => {
      if (open) controller.enqueue(new TextEncoder().encode(text));
    },
    end: (): void => stop(() => controller.close()),
    cut: (): void => stop(() => controller.error(new TypeError("network error"))),
  };
}

interface Reader {
  body: ReturnType<typeof openBody>;
  encoder: EventStreamEncoder;
}

interface Reply {
  sessionId: string;
  clientStreamId: string;
  requestId: number;
  responseId: number;
  /** Everything the reply will say; the first `produced` of it is in the log. */
  events: NumberedEvent[];
  produced: number;
  readers: Reader[];
}

const SECS = 1_790_000_000;

/** A question and its answer, of before. */
export const shortTalk: readonly Message[] = [
  wireMessage({
    message_id: 1,
    parent_id: null,
    role: "USER",
    fragments: [{ id: 1, type: "REQUEST", content: "hi" }],
  }),
  wireMessage({
    message_id: 2,
    parent_id: 1,
    role: "ASSISTANT",
    fragments: [{ id: 2, type: "RESPONSE", content: "hello" }],
  }),
];

/** The events of a thinking reply (wire-contract.md §4.6), numbered from 1. */
export function thinkingReply(
  requestId: number,
  responseId: number,
  clientStreamId: string,
): NumberedEvent[] {
  const path = "response/fragments/-1/content";
  const append = (v: string): StreamEvent => ({ type: "delta", data: { p: path, o: "APPEND", v } });
  const message = wireMessage({
    message_id: responseId,
    parent_id: requestId,
    role: "ASSISTANT",
    status: "WIP",
    client_stream_id: clientStreamId,
    fragments: [{ id: 2, type: "THINK", content: "Two", elapsed_secs: null }],
  });
  const answer = { id: 3, type: "RESPONSE", content: "Fo" };
  const events: StreamEvent[] = [
    { type: "ready", data: { request_message_id: requestId, response_message_id: responseId } },
    { type: "update_session", data: { updated_at: SECS + 10 } },
    { type: "delta", data: snapshotDelta(message) },
    append(" plus"),
    append(" two 🧮"),
    { type: "delta", data: { p: "response/fragments/-1/elapsed_secs", o: "SET", v: 0.8 } },
    { type: "delta", data: { p: "response/fragments", o: "APPEND", v: [answer] } },
    append("ur"),
    append(", 四."),
    {
      type: "delta",
      data: {
        p: "response",
        o: "BATCH",
        v: [
          { p: "accumulated_token_usage", v: 57 },
          { p: "quasi_status", v: "FINISHED" },
        ],
      },
    },
    { type: "delta", data: { p: "response/status", o: "SET", v: "FINISHED" } },
    { type: "finish", data: {} },
    { type: "update_session", data: { updated_at: SECS + 20 } },
    { type: "title", data: { content: "Adding two and two" } },
    { type: "close", data: { click_behavior: "none", auto_resume: false } },
  ];
  return events.map((event, index) => ({ ...event, id: index + 1 }));
}

export type FakeServer = ReturnType<typeof createFakeServer>;

export function createFakeServer() {
  const requests: Request[] = [];
  const overrides = new Map<string, Handler>();
  const sessions = new Map<
    string,
    { title: string | null; titleType: string; version: number; agent: string }
  >();
  const messages = new Map<string, Message[]>();
  const lastIds = new Map<string, number>();
  const replies: Reply[] = [];
  const spent = new Set<string>();
  let down = false;
  let lastSession = 0;
  let lastChallenge = 0;
  let makeEvents = thinkingReply;

  function folded(reply: Reply): Message | null {
    let state = emptyReply();
    for (const event of reply.events.slice(0, reply.produced)) state = reduceReply(state, event);
    return state.message;
  }

  function isRunning(reply: Reply): boolean {
    return reply.produced < reply.events.length && (folded(reply)?.status ?? "WIP") === "WIP";
  }

  function wireSession(id: string) {
    const known = sessions.get(id);
    const reply = replies.findLast((one) => one.sessionId === id);
    const said = reply?.events.slice(0, reply.produced).findLast((event) => event.type === "title");
    return {
      id,
      seq_id: 1,
      agent: known?.agent ?? "chat",
      character_id: null,
      model_type: "default",
      title: said?.type === "title" ? said.data.content : (known?.title ?? null),
      title_type: said ? "SYSTEM" : (known?.titleType ?? "WIP"),
      version: versionOf(id),
      current_message_id: messagesOf(id).at(-1)?.message_id ?? null,
      pinned: false,
      is_empty: messagesOf(id).length === 0,
      route_id: null,
      inserted_at: SECS,
      updated_at: SECS,
    };
  }

  /** Grows with everything that changes the session's messages. */
  function versionOf(id: string): number {
    const told = replies.filter((one) => one.sessionId === id).reduce((sum, one) => sum + one.produced, 0);
    return (sessions.get(id)?.version ?? 1) + (messages.get(id)?.length ?? 0) + told;
  }

  /** What the history says: stored messages, and replies folded from their logs. */
  function messagesOf(id: string): Message[] {
    const stored = (messages.get(id) ?? []).map((message) => {
      const reply = replies.find((one) => one.sessionId === id && one.responseId === message.message_id);
      return (reply && folded(reply)) ?? message;
    });
    return stored.toSorted((a, b) => a.message_id - b.message_id);
  }

  function attach(reply: Reply, request: Request, lastId: number | null): Response {
    const body = openBody(request.signal);
    const reader: Reader = { body, encoder: createEncoder() };
    const ready = reply.events[0]!;
    body.push(reader.encoder.encode(ready, null));
    const snapshot = folded(reply);
    if (lastId !== null) {
      for (const event of reply.events.slice(0, reply.produced)) {
        if (event.id > lastId) body.push(reader.encoder.encode(event, event.id));
      }
    } else if (snapshot !== null) {
      // After the end the snapshot still says WIP: what ends it follows (wire-contract.md §11.2).
      const end = reply.events.slice(0, reply.produced).findIndex((event) => isEnd(event));
      const upTo = end === -1 ? reply.produced : end;
      const state = folded({ ...reply, produced: upTo });
      if (state !== null)
        body.push(
          reader.encoder.encode({ type: "delta", data: snapshotDelta(state) }, reply.events[upTo - 1]!.id),
        );
      for (const event of reply.events.slice(upTo, reply.produced))
        body.push(reader.encoder.encode(event, event.id));
    }
    reply.readers.push(reader);
    if (reply.produced === reply.events.length) body.end();
    return body.response;
  }

  function isEnd(event: NumberedEvent): boolean {
    return event.type === "delta" && event.data.p === "response" && event.data.o === "BATCH";
  }

  /** The answer to a repeat, or null where the proof is good and the call begins something new. */
  function repeatOrProof(request: Request): Response | null {
    const { chat_session_id: sessionId, client_stream_id: clientStreamId } = request.body;
    const known = replies.find((one) => one.sessionId === sessionId && one.clientStreamId === clientStreamId);
    if (known !== undefined) return attach(known, request, null);
    const proof = request.headers["x-ds-pow-response"] ?? "";
    if (proof === "" || spent.has(proof)) return globalError(40301, "INVALID_POW_RESPONSE");
    spent.add(proof);
    return null;
  }

  /** Stores the messages of a turn and begins its reply, under a user message that is stored or `user`. */
  function beginReply(request: Request, user: Partial<Message> | null, parentId: number | null): Response {
    const sessionId = String(request.body["chat_session_id"]);
    const clientStreamId = String(request.body["client_stream_id"]);
    const requestId = user === null ? Number(parentId) : nextMessageId(sessionId);
    if (user !== null) {
      store(sessionId, { ...user, message_id: requestId, parent_id: parentId, role: "USER" });
    }
    const responseId = nextMessageId(sessionId);
    store(sessionId, {
      message_id: responseId,
      parent_id: requestId,
      role: "ASSISTANT",
      status: "WIP",
      has_pending_fragment: true,
      client_stream_id: clientStreamId,
    });
    const events = makeEvents(requestId, responseId, clientStreamId);
    return openReply(request, { sessionId, clientStreamId, requestId, responseId, events });
  }

  function openReply(request: Request, reply: Omit<Reply, "produced" | "readers">): Response {
    const body = openBody(request.signal);
    replies.push({ ...reply, produced: 0, readers: [{ body, encoder: createEncoder() }] });
    return body.response;
  }

  /** Ids are never used twice, also those of messages that are gone. */
  function nextMessageId(sessionId: string): number {
    const last = lastIds.get(sessionId) ?? messages.get(sessionId)?.at(-1)?.message_id ?? 0;
    lastIds.set(sessionId, last + 1);
    return last + 1;
  }

  function store(sessionId: string, part: Parameters<typeof wireMessage>[0]): void {
    messages.set(sessionId, [...(messages.get(sessionId) ?? []), wireMessage(part)]);
  }

  function storedMessage(request: Request, id: unknown): Message | undefined {
    return messagesOf(String(request.body["chat_session_id"])).find(({ message_id }) => message_id === id);
  }

  const requestFragment = (prompt: unknown) => ({ id: 1, type: "REQUEST", content: String(prompt) });

  function complete(request: Request): Response {
    const early = repeatOrProof(request);
    if (early !== null) return early;
    const { chat_session_id, parent_message_id, known_last_message_id, prompt } = request.body;
    const last = messagesOf(String(chat_session_id)).at(-1)?.message_id ?? 0;
    if (typeof known_last_message_id === "number" && last > known_last_message_id) {
      return refused(28, "SESSION_HAS_NEWER_MESSAGES");
    }
    const parentId = typeof parent_message_id === "number" ? parent_message_id : null;
    return beginReply(request, { fragments: [requestFragment(prompt)] }, parentId);
  }

  function regenerateReply(request: Request): Response {
    const early = repeatOrProof(request);
    if (early !== null) return early;
    const old = storedMessage(request, request.body["child_message_id"]);
    if (old?.role !== "ASSISTANT") return refused(26, "INVALID_MESSAGE_ID");
    if (old.ban_regenerate) return refused(4, "REGENERATE_NOT_ALLOWED");
    return beginReply(request, null, old.parent_id);
  }

  function editRequest(request: Request): Response {
    const early = repeatOrProof(request);
    if (early !== null) return early;
    const old = storedMessage(request, request.body["message_id"]);
    if (old?.role !== "USER") return refused(26, "INVALID_MESSAGE_ID");
    if (old.ban_edit) return refused(12, "EDIT_NOT_ALLOWED");
    const { files } = old;
    return beginReply(
      request,
      { fragments: [requestFragment(request.body["prompt"])], files },
      old.parent_id,
    );
  }

  function continueReply(request: Request): Response {
    const sessionId = String(request.body["chat_session_id"]);
    const message = storedMessage(request, request.body["message_id"]);
    if (message === undefined) return refused(26, "INVALID_MESSAGE_ID");
    const { message_id: responseId } = message;
    const isOfMessage = (one: Reply): boolean => one.sessionId === sessionId && one.responseId === responseId;
    const reply = replies.find(isOfMessage);
    if (message.status === "WIP") {
      if (reply === undefined || request.body["fallback_to_resume"] !== true)
        return refused(24, "CURRENT_MESSAGE_LOCKED");
      return attach(reply, request, null);
    }
    if (message.status === "FINISHED" && request.body["fallback_to_resume"] === true) {
      return ok({ message, chat_session: wireSession(sessionId) }, 22);
    }
    if (message.status !== "INCOMPLETE") return refused(23, "MESSAGE_IS_NOT_LEAF");
    const lastEventId = reply?.events.at(-1)?.id ?? 0;
    if (reply !== undefined) replies.splice(replies.indexOf(reply), 1);
    messages.set(
      sessionId,
      messagesOf(sessionId).map((one) =>
        one.message_id === responseId ? { ...message, status: "WIP" as const } : one,
      ),
    );
    return openReply(request, {
      sessionId,
      clientStreamId: "",
      requestId: message.parent_id ?? 0,
      responseId,
      events: continuedReply(message, lastEventId + 1),
    });
  }

  const handlers: Record<string, Handler> = {
    "/api/v0/users/current": () => ok(user()),
    "/api/v0/users/login": () => ok({ code: 0, msg: "", user: user() }),
    "/api/v0/users/logout": () => ok(null),
    "/api/v0/client/settings": () => globalError(50300, "SERVICE_UNAVAILABLE", 503),
    "/api/v0/chat_session/fetch_page": () => ok({ chat_sessions: [], has_more: false }),
    "/api/v0/chat_session/create": (request) => {
      const id = `session-${++lastSession}`;
      sessions.set(id, {
        title: null,
        titleType: "WIP",
        version: 1,
        agent: typeof request.body["character_id"] === "string" ? request.body["character_id"] : "chat",
      });
      return ok(wireSession(id));
    },
    "/api/v0/chat_session/delete": () => ok(null),
    "/api/v0/chat_session/update_title": (request) =>
      ok({ chat_session_updated_at: SECS + 30, title: request.body["title"] }),
    "/api/v0/chat/create_pow_challenge": (request) => {
      const salt = String(++lastChallenge).padStart(20, "0");
      const expireAt = 1_800_000_000_000;
      return ok({
        challenge: {
          algorithm: "SHA-256",
          challenge: sha256Ascii(`${salt}_${expireAt}_2`),
          salt,
          signature: salt,
          difficulty: 3,
          expire_at: expireAt,
          expire_after: 300_000,
          target_path: request.body["target_path"],
        },
      });
    },
    "/api/v0/chat/completion": complete,
    "/api/v0/chat/regenerate": regenerateReply,
    "/api/v0/chat/edit_message": editRequest,
    "/api/v0/chat/continue": continueReply,
    "/api/v0/chat/resume_stream": (request) => {
      const id = Number(request.body["message_id"]);
      const reply = replies.find(
        (one) => one.sessionId === request.body["chat_session_id"] && one.responseId === id,
      );
      if (reply === undefined) return refused(7, "RESUME_MESSAGE_NOT_FOUND");
      if (!isRunning(reply))
        return ok({ message: folded(reply), chat_session: wireSession(reply.sessionId) }, 22);
      const last = request.headers["last-event-id"];
      return attach(reply, request, last === undefined ? null : Number(last));
    },
    "/api/v0/chat/get_client_streams": (request) => {
      const ids = request.body["client_stream_ids"] as string[];
      const found = replies.filter((one) => ids.includes(one.clientStreamId));
      return ok({
        client_streams: found.map((one) => ({
          client_stream_id: one.clientStreamId,
          request_message_id: one.requestId,
          response_message_id: one.responseId,
          status: folded(one)?.status ?? "WIP",
        })),
      });
    },
    "/api/v0/chat/stop_stream": (request) => {
      const reply = replies.findLast((one) => one.sessionId === request.body["chat_session_id"]);
      if (reply !== undefined && isRunning(reply)) stopReply(reply);
      return ok(null);
    },
    "/api/v0/chat/history_messages": (request) => {
      const id = request.query.get("chat_session_id") ?? "";
      if (!sessions.has(id)) return refused(1, "ILLEGAL_CHAT_SESSION_ID");
      const running = replies.some((one) => one.sessionId === id && isRunning(one));
      const valid = !running && request.query.get("cache_version") === String(versionOf(id));
      const data = { chat_session: wireSession(id), chat_messages: valid ? [] : messagesOf(id) };
      return ok({ ...data, cache_valid: valid, route_id: null });
    },
  };

  function user() {
    return {
      id: "user-1",
      token: "token-1",
      email: "ab*****z@x.com",
      mobile_number: "",
      mobile: "",
      area_code: "",
      status: 0,
      id_profile: null,
      id_profiles: [],
      chat: { is_muted: 0, mute_until: null },
      has_legacy_chat_history: false,
      need_birthday: false,
    };
  }

  /** Ends a reply as wire-contract.md §4.6 says for a stop. */
  function stopReply(reply: Reply): void {
    const message = folded(reply);
    const produced = reply.events.slice(0, reply.produced);
    const tail: StreamEvent[] = [];
    if (message === null) {
      // The log has no snapshot yet: S0, or all that a continued message held before.
      const stored = messages.get(reply.sessionId)?.find((one) => one.message_id === reply.responseId);
      if (stored !== undefined) tail.push({ type: "delta", data: snapshotDelta(stored) });
    }
    tail.push(
      { type: "delta", data: { p: "response/status", o: "SET", v: "INCOMPLETE" } },
      { type: "close", data: { click_behavior: "none", auto_resume: false } },
    );
    reply.events = [
      ...produced,
      ...tail.map((event, index) => ({ ...event, id: reply.events[0]!.id + produced.length + index })),
    ];
    produce(tail.length);
  }

  /** Writes the next events of the last reply to its log and to every reader. */
  function produce(count: number): void {
    const reply = replies.at(-1);
    if (reply === undefined) throw new Error("no reply runs");
    for (let i = 0; i < count && reply.produced < reply.events.length; i++) {
      const event = reply.events[reply.produced++]!;
      for (const { body, encoder } of reply.readers) body.push(encoder.encode(event, event.id));
      if (event.type === "close") for (const { body } of reply.readers) body.end();
    }
  }

  const network: Network = async (path, init: FetchInit) => {
    const url = new URL(path, "http://plumb.test");
    const request: Request = {
      path: url.pathname,
      query: url.searchParams,
      headers: init.headers,
      body: init.body === undefined ? {} : (JSON.parse(init.body) as Record<string, unknown>),
      signal: init.signal,
    };
    requests.push(request);
    if (down) throw new TypeError("fetch failed");
    const handler = overrides.get(url.pathname) ?? handlers[url.pathname];
    if (handler === undefined) return globalError(40400, "NOT_FOUND", 404);
    return handler(request);
  };

  return {
    network,
    requests,
    /** Requests to a path, in order. */
    calls: (path: string): Request[] => requests.filter((request) => request.path === path),
    answer: (path: string, handler: Handler): void => void overrides.set(path, handler),
    answerAsUsual: (path: string): void => void overrides.delete(path),
    setDown: (value: boolean): void => {
      down = value;
    },
    setEvents: (make: typeof thinkingReply): void => {
      makeEvents = make;
    },
    addSession: (id: string, said: readonly Message[] = []): void => {
      const title = said.length === 0 ? null : "Old";
      sessions.set(id, { title, titleType: title === null ? "WIP" : "SYSTEM", version: 7, agent: "chat" });
      messages.set(id, [...said]);
    },
    produce,
    /** Breaks every open connection. */
    cut: (): void => {
      for (const reply of replies) for (const { body } of reply.readers.splice(0)) body.cut();
    },
    replies,
    messagesOf,
    stopReply,
  };
}
