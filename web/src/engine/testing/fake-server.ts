// A server for engine tests and the gallery: answers every call from memory; replies go on when the test says so.
import type { Message } from "@plumb/protocol/conversation/message";
import { isCharacterId } from "@plumb/protocol/rules/character-id";
import type { User } from "@plumb/protocol/wire/accounts";
import { sha256Ascii } from "../guard/sha256.ts";
import { replyReader } from "../replies/reply-reader.ts";
import { globalError, ok, refused } from "./fake-answers.ts";
import type { Network } from "./fake-browser.ts";
import { createFakeFiles } from "./fake-files.ts";
import type { Request } from "./fake-request.ts";
import { createFakeCharacters } from "./fake-characters.ts";
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

/** What a reader's verdict is stored as; null takes it back. */
function feedbackOf(body: Record<string, unknown>): Message["feedback"] {
  const { feedback_type: type, feedback_tag: tag, description } = body;
  if (type !== "GOOD" && type !== "BAD") return null;
  return {
    feedback_type: type,
    feedback_tag: typeof tag === "string" ? tag : null,
    description: typeof description === "string" ? description : null,
  };
}

/** Milliseconds. Far away: the gallery runs on a real clock. */
const PUZZLE_EXPIRES = 4_000_000_000_000;

export type FakeServer = ReturnType<typeof createFakeServer>;

// As on a page that somebody touched.
await replyReader.get();
await import("../turns/lost-turns.ts");

export function createFakeServer() {
  const requests: Request[] = [];
  const overrides = new Map<string, Handler>();
  const replies = createReplyLogs();
  const sessions = createFakeSessions(replies);
  const spentProofs = new Set<string>();
  const files = createFakeFiles(spentProofs);
  const characters = createFakeCharacters(SECS);
  const turns = createFakeTurns({ replies, sessions, files, characters, spentProofs });
  let down = false;
  let lastChallenge = 0;

  function stopReply(reply: ReplyLog): void {
    const { sessionId, requestId, responseId } = reply;
    const due = sessions.has(sessionId) && sessions.present(sessionId).title_type === "WIP";
    const prompt = sessions.storedMessage(sessionId, requestId)?.fragments[0]?.content;
    const title = due && typeof prompt === "string" ? prompt.slice(0, 32) : null;
    replies.stop(reply, sessions.storedMessage(sessionId, responseId), title);
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
      const agent = typeof body["character_id"] === "string" ? body["character_id"] : "chat";
      if (isCharacterId(agent) && !characters.has(agent)) return refused(20, "CHARACTER_NOT_AVAILABLE");
      const made = isCharacterId(agent) ? sessions.create("character", agent) : sessions.create(agent);
      return ok({ ...made, chat_session: made, ttl_seconds: 86_400 });
    },
    "/api/v0/chat_session/delete": ({ body }) => {
      const id = String(body["chat_session_id"]);
      return sessions.remove(id) ? ok(null) : sessions.refuse(id);
    },
    "/api/v0/chat_session/delete_all": () => {
      sessions.removeAll();
      return ok(null);
    },
    "/api/v0/chat_session/update_title": ({ body }) => {
      const id = String(body["chat_session_id"]);
      const [title, updatedAtSecs] = [String(body["title"]).trim(), SECS + 30];
      if (!sessions.has(id)) return sessions.refuse(id);
      if (title === "") return refused(2, "EMPTY_TITLE");
      if ([...title].length > 32) return refused(3, "TITLE_TOO_LONG");
      sessions.change(id, { title, titleType: "USER", updatedAtSecs });
      return ok({ chat_session_updated_at: updatedAtSecs, title });
    },
    "/api/v0/chat_session/update_pinned": ({ body }) => {
      const id = String(body["chat_session_id"]);
      return sessions.change(id, { pinned: body["pinned"] === true }) ? ok(null) : sessions.refuse(id);
    },
    "/api/v0/chat/message_feedback": ({ body }) => {
      const id = String(body["chat_session_id"]);
      if (!sessions.has(id)) return sessions.refuse(id);
      const message = sessions.messagesOf(id).find(({ message_id }) => message_id === body["message_id"]);
      if (message === undefined) return refused(2, "MESSAGE_NOT_FOUND");
      if (message.role !== "ASSISTANT") return refused(3, "NOT_AN_ASSISTANT_MESSAGE");
      sessions.rate(id, message.message_id, feedbackOf(body));
      return ok(null);
    },
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
    ...characters.handlers,
    "/api/v0/chat/completion": turns.complete,
    "/api/v0/chat/regenerate": turns.regenerate,
    "/api/v0/chat/edit_message": turns.edit,
    "/api/v0/chat/continue": turns.continueReply,
    "/api/v0/chat/resume_stream": ({ body, headers, signal }) => {
      const session = String(body["chat_session_id"]);
      if (!sessions.has(session)) return sessions.refuse(session);
      const id = Number(body["message_id"]);
      const reply = replies.all.find(
        (one) => one.sessionId === body["chat_session_id"] && one.responseId === id,
      );
      if (reply === undefined) return refused(7, "RESUME_MESSAGE_NOT_FOUND");
      if (!replies.isRunning(reply)) {
        const ended = { message: replies.folded(reply), chat_session: sessions.present(reply.sessionId) };
        return ok(ended, 22, "RESUME_GOT_FULL_MESSAGE");
      }
      const last = headers["last-event-id"];
      return replies.attach(reply, signal, last === undefined ? null : Number(last));
    },
    "/api/v0/chat/get_client_streams": ({ body }) => {
      const id = String(body["chat_session_id"]);
      if (!sessions.has(id)) return sessions.refuse(id);
      const ids = body["client_stream_ids"] as string[];
      const found = replies.all.filter(
        (one) => one.sessionId === id && ids.includes(one.clientStreamId ?? ""),
      );
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
      const id = String(body["chat_session_id"]);
      if (!sessions.has(id)) return sessions.refuse(id);
      const reply = replies.all.findLast((one) => one.sessionId === id);
      if (reply !== undefined && replies.isRunning(reply)) stopReply(reply);
      return ok(null);
    },
    "/api/v0/file/upload_file": files.upload,
    "/api/v0/file/fetch_files": files.fetch,
    "/api/v0/file/preview": files.preview,
    "/api/v0/chat/history_messages": ({ query }) => {
      const id = query.get("chat_session_id") ?? "";
      if (!sessions.has(id)) return sessions.refuse(id);
      const running = replies.all.some((one) => one.sessionId === id && replies.isRunning(one));
      const valid = !running && query.get("cache_version") === String(sessions.versionOf(id));
      const chat_messages = valid ? [] : sessions.messagesOf(id);
      return ok({ chat_session: sessions.present(id), chat_messages, cache_valid: valid, route_id: null });
    },
  };

  const network: Network = async (path, init) => {
    const url = new URL(path, "http://plumb.test");
    const request: Request = {
      path: url.pathname,
      query: url.searchParams,
      headers: init.headers,
      body: init.body === undefined ? {} : (JSON.parse(init.body) as Record<string, unknown>),
      signal: init.signal,
      ...(init.file === undefined ? {} : { file: init.file }),
      ...(init.progress === undefined ? {} : { progress: init.progress }),
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
    files,
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
    removeSession: sessions.remove,
    messagesOf: sessions.messagesOf,
    removeCharacter: characters.remove,
    replies: replies.all,
    beginReply: replies.begin,
    produce: replies.produce,
    stopReply,
    cut: replies.cut,
  };
}
