// A server for engine tests and the gallery: answers every call from memory; replies go on when the test says so.
import type { User } from "@plumb/protocol/wire/accounts";
import type { FetchInit } from "../browser.ts";
import { sha256Ascii } from "../guard/sha256.ts";
import { globalError, ok, refused } from "./fake-answers.ts";
import type { Network } from "./fake-browser.ts";
import type { Request } from "./fake-request.ts";
import { createFakeSessions, SECS } from "./fake-sessions.ts";
import { createFakeTurns } from "./fake-turns.ts";
import { createReplyLogs, type ReplyLog } from "./reply-logs.ts";

type Handler = (request: Request) => Response | Promise<Response>;

const user: User = {
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

/** Milliseconds. Far away: the gallery runs on a real clock. */
const PUZZLE_EXPIRES = 4_000_000_000_000;

export type FakeServer = ReturnType<typeof createFakeServer>;

export function createFakeServer() {
  const requests: Request[] = [];
  const overrides = new Map<string, Handler>();
  const replies = createReplyLogs();
  const sessions = createFakeSessions(replies);
  const turns = createFakeTurns(replies, sessions);
  let down = false;
  let lastChallenge = 0;

  function stopReply(reply: ReplyLog): void {
    replies.stop(reply, sessions.storedMessage(reply.sessionId, reply.responseId));
  }

  const handlers: Record<string, Handler> = {
    "/api/v0/users/current": () => ok(user),
    "/api/v0/users/login": () => ok({ code: 0, msg: "", user }),
    "/api/v0/users/logout": () => ok(null),
    "/api/v0/client/settings": () => globalError(50300, "SERVICE_UNAVAILABLE", 503),
    "/api/v0/chat_session/fetch_page": ({ query }) => {
      const before = query.get("before_seq_id");
      return ok(sessions.page(before === null ? null : Number(before), Number(query.get("count"))));
    },
    "/api/v0/chat_session/create": ({ body }) => {
      const agent = body["character_id"];
      return ok(sessions.create(typeof agent === "string" ? agent : "chat"));
    },
    "/api/v0/chat_session/delete": ({ body }) =>
      sessions.remove(String(body["chat_session_id"])) ? ok(null) : refused(1, "ILLEGAL_CHAT_SESSION_ID"),
    "/api/v0/chat_session/update_title": ({ body }) => {
      const [title, updatedAtSecs] = [String(body["title"]), SECS + 30];
      const change = { title, titleType: "USER", updatedAtSecs } as const;
      if (!sessions.change(String(body["chat_session_id"]), change))
        return refused(1, "ILLEGAL_CHAT_SESSION_ID");
      return ok({ chat_session_updated_at: updatedAtSecs, title });
    },
    "/api/v0/chat_session/update_pinned": ({ body }) =>
      sessions.change(String(body["chat_session_id"]), { pinned: body["pinned"] === true })
        ? ok(null)
        : refused(1, "ILLEGAL_CHAT_SESSION_ID"),
    "/api/v0/chat/create_pow_challenge": ({ body }) => {
      const salt = String(++lastChallenge).padStart(20, "0");
      return ok({
        challenge: {
          algorithm: "SHA-256",
          challenge: sha256Ascii(`${salt}_${PUZZLE_EXPIRES}_2`),
          salt,
          signature: salt,
          difficulty: 3,
          expire_at: PUZZLE_EXPIRES,
          expire_after: 300_000,
          target_path: body["target_path"],
        },
      });
    },
    "/api/v0/chat/completion": turns.complete,
    "/api/v0/chat/regenerate": turns.regenerate,
    "/api/v0/chat/edit_message": turns.edit,
    "/api/v0/chat/continue": turns.continueReply,
    "/api/v0/chat/resume_stream": ({ body, headers, signal }) => {
      const id = Number(body["message_id"]);
      const reply = replies.all.find(
        (one) => one.sessionId === body["chat_session_id"] && one.responseId === id,
      );
      if (reply === undefined) return refused(7, "RESUME_MESSAGE_NOT_FOUND");
      if (!replies.isRunning(reply)) {
        const ended = { message: replies.folded(reply), chat_session: sessions.present(reply.sessionId) };
        return ok(ended, 22);
      }
      const last = headers["last-event-id"];
      return replies.attach(reply, signal, last === undefined ? null : Number(last));
    },
    "/api/v0/chat/get_client_streams": ({ body }) => {
      const ids = body["client_stream_ids"] as string[];
      const found = replies.all.filter((one) => ids.includes(one.clientStreamId));
      return ok({
        client_streams: found.map((one) => ({
          client_stream_id: one.clientStreamId,
          request_message_id: one.requestId,
          response_message_id: one.responseId,
          status: replies.folded(one)?.status ?? "WIP",
        })),
      });
    },
    "/api/v0/chat/stop_stream": ({ body }) => {
      const reply = replies.all.findLast((one) => one.sessionId === body["chat_session_id"]);
      if (reply !== undefined && replies.isRunning(reply)) stopReply(reply);
      return ok(null);
    },
    "/api/v0/chat/history_messages": ({ query }) => {
      const id = query.get("chat_session_id") ?? "";
      if (!sessions.has(id)) return refused(1, "ILLEGAL_CHAT_SESSION_ID");
      const running = replies.all.some((one) => one.sessionId === id && replies.isRunning(one));
      const valid = !running && query.get("cache_version") === String(sessions.versionOf(id));
      const chat_messages = valid ? [] : sessions.messagesOf(id);
      return ok({ chat_session: sessions.present(id), chat_messages, cache_valid: valid, route_id: null });
    },
  };

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
    /** True: no request reaches the server any more. */
    setDown: (value: boolean): void => {
      down = value;
    },
    setEvents: turns.setEvents,
    addSession: sessions.add,
    messagesOf: sessions.messagesOf,
    replies: replies.all,
    beginReply: replies.begin,
    produce: replies.produce,
    stopReply,
    cut: replies.cut,
  };
}
