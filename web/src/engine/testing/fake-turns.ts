// How the fake server begins replies: by a prompt, again, by an edited prompt, and where one was stopped.
import type { Message } from "@plumb/protocol/conversation/message";
import { isBlankPrompt } from "@plumb/protocol/rules/prompt-rules";
import { globalError, ok, refused } from "./fake-answers.ts";
import { continuedReply, thinkingReply } from "./fake-replies.ts";
import type { FakeCharacters } from "./fake-characters.ts";
import type { FakeFiles } from "./fake-files.ts";
import type { Request } from "./fake-request.ts";
import type { FakeSessions } from "./fake-sessions.ts";
import type { ReplyLog, ReplyLogs } from "./reply-logs.ts";

interface FakeParts {
  replies: ReplyLogs;
  sessions: FakeSessions;
  files: FakeFiles;
  characters: FakeCharacters;
  spentProofs: Set<string>;
}

export function createFakeTurns({ replies, sessions, files, characters, spentProofs }: FakeParts) {
  let makeEvents = thinkingReply;

  const sessionOf = ({ body }: Request): string => String(body["chat_session_id"]);
  const requestFragment = (prompt: unknown) => ({ id: 1, type: "REQUEST", content: String(prompt) });

  function messageOf(request: Request, id: unknown): Message | undefined {
    return sessions.messagesOf(sessionOf(request)).find(({ message_id }) => message_id === id);
  }

  /** The reply of the session that is being written. */
  function running(request: Request): Message | undefined {
    return sessions.messagesOf(sessionOf(request)).find(({ status }) => status === "WIP");
  }

  /** The answer to a repeat, or null where the proof is good and the call begins something new. */
  function repeatOrProof(request: Request): Response | null {
    const { chat_session_id: sessionId, client_stream_id: clientStreamId } = request.body;
    const known = replies.all.find(
      (one) => one.sessionId === sessionId && one.clientStreamId === clientStreamId,
    );
    if (known !== undefined && clientStreamId !== undefined) {
      const [fragment] = messageOf(request, known.requestId)?.fragments ?? [];
      const { prompt = fragment?.content } = request.body;
      if (fragment?.content !== prompt) return refused(18, "CLIENT_STREAM_ID_REUSED");
      return replies.attach(known, request.signal, null);
    }
    const proof = request.headers["x-ds-pow-response"] ?? "";
    if (proof === "") return globalError(40300, "POW_HEADER_ERROR");
    if (spentProofs.has(proof)) return globalError(40301, "INVALID_POW_RESPONSE");
    spentProofs.add(proof);
    return refuseSession(sessionOf(request));
  }

  /** Says why a session takes no turn; null where it takes one. */
  function refuseSession(id: string): Response | null {
    if (!sessions.has(id)) return sessions.refuse(id);
    const { character_id: character } = sessions.present(id);
    return character === null || characters.has(character) ? null : refused(20, "CHARACTER_DELETED");
  }

  function refuseSearch(request: Request): Response | null {
    const { search_enabled: search, thinking_enabled: thinking } = request.body;
    const { character_id: character } = sessions.present(sessionOf(request));
    const isRefused = search === true && thinking !== true && character !== null;
    return isRefused ? refused(21, "SEARCH_NOT_WITH_CHARACTER") : null;
  }

  function openReply(request: Request, reply: Omit<ReplyLog, "produced" | "readers">): Response {
    return replies.read(replies.begin(reply), request.signal);
  }

  /** Stores the messages of a turn and begins its reply, under a user message that is stored or `user`. */
  function beginReply(request: Request, user: Partial<Message> | null, parentId: number | null): Response {
    const sessionId = sessionOf(request);
    const { client_stream_id: streamId, thinking_enabled: asked } = request.body;
    const clientStreamId = typeof streamId === "string" ? streamId : null;
    const thinks = asked === true;
    const requestId =
      user === null
        ? Number(parentId)
        : sessions.append(sessionId, {
            ...user,
            parent_id: parentId,
            role: "USER",
            thinking_enabled: thinks,
          });
    const responseId = sessions.append(sessionId, {
      parent_id: requestId,
      role: "ASSISTANT",
      status: "WIP",
      has_pending_fragment: true,
      thinking_enabled: thinks,
      client_stream_id: clientStreamId,
    });
    const titled = sessions.present(sessionId).title_type !== "WIP";
    const events = makeEvents(requestId, responseId, clientStreamId)
      .filter(({ type }) => type !== "title" || !titled)
      .map((event, index) => ({ ...event, id: index + 1 }));
    return openReply(request, { sessionId, clientStreamId, requestId, responseId, events });
  }

  function complete(request: Request): Response {
    const early = repeatOrProof(request);
    if (early !== null) return early;
    const { parent_message_id: parent, known_last_message_id: knownLast, prompt } = request.body;
    if (typeof parent === "number") {
      const above = messageOf(request, parent);
      if (above === undefined) return refused(26, "INVALID_PARENT_MESSAGE_ID");
      if (above.role !== "ASSISTANT") return refused(2, "PARENT_MESSAGE_NOT_ASSISTANT");
      if (above.status === "WIP") return refused(25, "PARENT_MESSAGE_LOCKED");
    }
    if (running(request) !== undefined) return refused(11, "LAST_MESSAGE_IS_WIP");
    const last = sessions.messagesOf(sessionOf(request)).at(-1)?.message_id ?? 0;
    if (typeof knownLast === "number" && last > knownLast) return refused(28, "SESSION_HAS_NEWER_MESSAGES");
    const parentId = typeof parent === "number" ? parent : null;
    const ids = (request.body["ref_file_ids"] ?? []) as string[];
    if (isBlankPrompt(String(prompt)) && ids.length === 0) return refused(6, "EMPTY_PROMPT");
    const isReady = ids.every((id) => files.get(id)?.status === "SUCCESS");
    const invalid = isReady ? null : refused(9, "INVALID_FILE_REFERENCE");
    const problem = refuseWithFiles(request, ids.length > 0) ?? refuseSearch(request) ?? invalid;
    if (problem !== null) return problem;
    const attached = ids.flatMap((id) => files.get(id) ?? []);
    return beginReply(request, { fragments: [requestFragment(prompt)], files: attached }, parentId);
  }

  /** What a message with files cannot ask for. */
  function refuseWithFiles({ body }: Request, hasFiles: boolean): Response | null {
    if (hasFiles && body["thinking_enabled"] === true) return refused(13, "THINKING_WITH_FILE");
    if (hasFiles && body["search_enabled"] === true) return refused(17, "SEARCH_WITH_FILE");
    return null;
  }

  function regenerate(request: Request): Response {
    const early = repeatOrProof(request);
    if (early !== null) return early;
    const old = messageOf(request, request.body["child_message_id"]);
    if (old?.role !== "ASSISTANT") return refused(26, "INVALID_MESSAGE_ID");
    const wip = running(request);
    if (wip?.message_id === old.message_id) return refused(24, "CURRENT_MESSAGE_LOCKED");
    if (wip !== undefined && wip.parent_id === old.parent_id) return refused(25, "PARENT_MESSAGE_LOCKED");
    if (wip !== undefined) return refused(11, "LAST_MESSAGE_IS_WIP");
    if (old.ban_regenerate) return refused(4, "REGENERATE_NOT_ALLOWED");
    const asked = sessions.messagesOf(sessionOf(request)).find((one) => one.message_id === old.parent_id);
    const problem = refuseWithFiles(request, (asked?.files.length ?? 0) > 0) ?? refuseSearch(request);
    return problem ?? beginReply(request, null, old.parent_id);
  }

  function edit(request: Request): Response {
    const early = repeatOrProof(request);
    if (early !== null) return early;
    const old = messageOf(request, request.body["message_id"]);
    if (old?.role !== "USER") return refused(26, "INVALID_MESSAGE_ID");
    if (old.ban_edit) return refused(12, "EDIT_NOT_ALLOWED");
    const wip = running(request);
    if (wip?.parent_id === old.message_id) return refused(24, "CURRENT_MESSAGE_LOCKED");
    if (wip !== undefined) return refused(11, "LAST_MESSAGE_IS_WIP");
    if (isBlankPrompt(String(request.body["prompt"]))) return refused(6, "EMPTY_PROMPT");
    const fragments = [requestFragment(request.body["prompt"])];
    const problem = refuseWithFiles(request, old.files.length > 0) ?? refuseSearch(request);
    return problem ?? beginReply(request, { fragments, files: old.files }, old.parent_id);
  }

  function continueReply(request: Request): Response {
    const sessionId = sessionOf(request);
    const refusal = refuseSession(sessionId);
    if (refusal !== null) return refusal;
    const fallsBack = request.body["fallback_to_resume"] === true;
    const message = messageOf(request, request.body["message_id"]);
    if (message?.role !== "ASSISTANT") return refused(26, "INVALID_MESSAGE_ID");
    const { message_id: responseId } = message;
    const reply = replies.all.find((one) => one.sessionId === sessionId && one.responseId === responseId);
    if (message.status === "WIP") {
      if (reply === undefined || !fallsBack) return refused(24, "CURRENT_MESSAGE_LOCKED");
      return replies.attach(reply, request.signal, null);
    }
    if (message.status === "FINISHED" && fallsBack) {
      return ok({ message, chat_session: sessions.present(sessionId) }, 22, "RESUME_GOT_FULL_MESSAGE");
    }
    if (message.status !== "INCOMPLETE") return refused(23, "MESSAGE_IS_NOT_LEAF");
    if (running(request) !== undefined) return refused(11, "LAST_MESSAGE_IS_WIP");
    const lastEventId = reply?.events.at(-1)?.id ?? 0;
    if (reply !== undefined) replies.remove(reply);
    const { stopped: _before, ...begun } = message;
    sessions.replace(sessionId, { ...begun, status: "WIP" });
    return openReply(request, {
      sessionId,
      clientStreamId: null,
      requestId: message.parent_id ?? 0,
      responseId,
      events: continuedReply(begun, lastEventId + 1),
    });
  }

  return {
    complete,
    regenerate,
    edit,
    continueReply,
    setEvents: (make: typeof thinkingReply): void => {
      makeEvents = make;
    },
  };
}
