// How the fake server begins replies: by a prompt, again, by an edited prompt, and where one was stopped.
import type { Message } from "@plumb/protocol/conversation/message";
import { globalError, ok, refused } from "./fake-answers.ts";
import { continuedReply, thinkingReply } from "./fake-replies.ts";
import type { Request } from "./fake-request.ts";
import type { FakeSessions } from "./fake-sessions.ts";
import type { ReplyLog, ReplyLogs } from "./reply-logs.ts";

export function createFakeTurns(replies: ReplyLogs, sessions: FakeSessions) {
  const spentProofs = new Set<string>();
  let makeEvents = thinkingReply;

  const sessionOf = ({ body }: Request): string => String(body["chat_session_id"]);
  const requestFragment = (prompt: unknown) => ({ id: 1, type: "REQUEST", content: String(prompt) });

  function messageOf(request: Request, id: unknown): Message | undefined {
    return sessions.messagesOf(sessionOf(request)).find(({ message_id }) => message_id === id);
  }

  /** The answer to a repeat, or null where the proof is good and the call begins something new. */
  function repeatOrProof(request: Request): Response | null {
    const { chat_session_id: sessionId, client_stream_id: clientStreamId } = request.body;
    const known = replies.all.find(
      (one) => one.sessionId === sessionId && one.clientStreamId === clientStreamId,
    );
    if (known !== undefined) return replies.attach(known, request.signal, null);
    const proof = request.headers["x-ds-pow-response"] ?? "";
    if (proof === "" || spentProofs.has(proof)) return globalError(40301, "INVALID_POW_RESPONSE");
    spentProofs.add(proof);
    return null;
  }

  function openReply(request: Request, reply: Omit<ReplyLog, "produced" | "readers">): Response {
    return replies.read(replies.begin(reply), request.signal);
  }

  /** Stores the messages of a turn and begins its reply, under a user message that is stored or `user`. */
  function beginReply(request: Request, user: Partial<Message> | null, parentId: number | null): Response {
    const sessionId = sessionOf(request);
    const clientStreamId = String(request.body["client_stream_id"]);
    const requestId =
      user === null
        ? Number(parentId)
        : sessions.append(sessionId, { ...user, parent_id: parentId, role: "USER" });
    const responseId = sessions.append(sessionId, {
      parent_id: requestId,
      role: "ASSISTANT",
      status: "WIP",
      has_pending_fragment: true,
      client_stream_id: clientStreamId,
    });
    const events = makeEvents(requestId, responseId, clientStreamId);
    return openReply(request, { sessionId, clientStreamId, requestId, responseId, events });
  }

  function complete(request: Request): Response {
    const early = repeatOrProof(request);
    if (early !== null) return early;
    const { parent_message_id: parent, known_last_message_id: knownLast, prompt } = request.body;
    const last = sessions.messagesOf(sessionOf(request)).at(-1)?.message_id ?? 0;
    if (typeof knownLast === "number" && last > knownLast) return refused(28, "SESSION_HAS_NEWER_MESSAGES");
    const parentId = typeof parent === "number" ? parent : null;
    return beginReply(request, { fragments: [requestFragment(prompt)] }, parentId);
  }

  function regenerate(request: Request): Response {
    const early = repeatOrProof(request);
    if (early !== null) return early;
    const old = messageOf(request, request.body["child_message_id"]);
    if (old?.role !== "ASSISTANT") return refused(26, "INVALID_MESSAGE_ID");
    if (old.ban_regenerate) return refused(4, "REGENERATE_NOT_ALLOWED");
    return beginReply(request, null, old.parent_id);
  }

  function edit(request: Request): Response {
    const early = repeatOrProof(request);
    if (early !== null) return early;
    const old = messageOf(request, request.body["message_id"]);
    if (old?.role !== "USER") return refused(26, "INVALID_MESSAGE_ID");
    if (old.ban_edit) return refused(12, "EDIT_NOT_ALLOWED");
    const fragments = [requestFragment(request.body["prompt"])];
    return beginReply(request, { fragments, files: old.files }, old.parent_id);
  }

  function continueReply(request: Request): Response {
    const sessionId = sessionOf(request);
    const fallsBack = request.body["fallback_to_resume"] === true;
    const message = messageOf(request, request.body["message_id"]);
    if (message === undefined) return refused(26, "INVALID_MESSAGE_ID");
    const { message_id: responseId } = message;
    const reply = replies.all.find((one) => one.sessionId === sessionId && one.responseId === responseId);
    if (message.status === "WIP") {
      if (reply === undefined || !fallsBack) return refused(24, "CURRENT_MESSAGE_LOCKED");
      return replies.attach(reply, request.signal, null);
    }
    if (message.status === "FINISHED" && fallsBack) {
      return ok({ message, chat_session: sessions.present(sessionId) }, 22);
    }
    if (message.status !== "INCOMPLETE") return refused(23, "MESSAGE_IS_NOT_LEAF");
    const lastEventId = reply?.events.at(-1)?.id ?? 0;
    if (reply !== undefined) replies.remove(reply);
    sessions.replace(sessionId, { ...message, status: "WIP" });
    return openReply(request, {
      sessionId,
      clientStreamId: "",
      requestId: message.parent_id ?? 0,
      responseId,
      events: continuedReply(message, lastEventId + 1),
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
