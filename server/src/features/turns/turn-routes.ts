// Completion, regenerate, edit, continue (wire-contract.md §11.2–§11.5).
import {
  completion,
  continueMessage,
  editMessage,
  regenerate,
  TurnRefusal,
} from "@plumb/protocol/wire/turns";
import type { RequestOf } from "@plumb/protocol/wire/call";
import { createEncoder } from "@plumb/protocol/stream/event-stream-encoder";
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import { StreamAnswer } from "../../platform/http/answers.ts";
import { promptBody } from "../../platform/http/body-limits.ts";
import { type Policy, route, type Route, type SignedInContext } from "../../platform/http/route.ts";
import { createSseResponse } from "../../platform/http/sse-response.ts";
import { lastEventIdOf } from "../replies/reply-routes.ts";
import type { ReplyService } from "../replies/reply-service.ts";
import { findReplyByStream, type KnownReply, loadReply } from "../sessions/reply-lookup-store.ts";
import { refuseTooMany, startTurn } from "./start-turn.ts";
import type { TurnRequest } from "./turn-rules.ts";

/** What an idempotent call is known by. */
interface Repeatable {
  chat_session_id: string;
  client_stream_id?: string | null;
}

export function turnRoutes(service: ReplyService): Route[] {
  const { context } = service;
  const { db } = context;

  /** Requests that were found to repeat a call, with the reply it began: looked up once a request. */
  const repeats = new WeakMap<Repeatable, KnownReply>();

  async function start(caller: SignedInContext, request: Repeatable, turn: TurnRequest) {
    const started = await startTurn(service, {
      sessionId: request.chat_session_id,
      user: caller.user,
      locale: caller.locale,
      request: turn,
      clientStreamId: request.client_stream_id ?? null,
      known: repeats.get(request) ?? null,
    });
    switch (started.kind) {
      case "begun":
        return service.begin(started.begun, caller.user, caller.traceId);
      case "repeat":
        return service.repeat(started.known, caller.user);
      case "refused-prompt":
        return streamOf(started.events);
    }
  }

  const checkLimit = ({ user }: SignedInContext) =>
    refuseTooMany(db.kysely, user.id, context.config.concurrentReplies);

  const speaking: Policy = {
    rate: "chat",
    accountStatus: "speaking",
    muted: TurnRefusal.UserIsMuted,
    // Counted again inside the transaction that starts the reply: here it spares a proof from being spent for nothing.
    checkLimit,
    async isRepeat({ user }: SignedInContext, request: Repeatable) {
      const id = request.client_stream_id ?? null;
      if (id === null || id.includes("\0")) return false;
      const known = await findReplyByStream(db.kysely, user.id, request.chat_session_id, id);
      if (known !== null) repeats.set(request, known);
      return known !== null;
    },
  };

  const continuing: Policy = {
    ...speaking,
    answers: ["event-stream", "large-json"],
    isRepeat: async () => false,
    // Who asks only to read on is not kept out by the replies that run, its own among them.
    checkLimit: async (caller: SignedInContext, request: RequestOf<typeof continueMessage>) => {
      if (!request.fallback_to_resume) await checkLimit(caller);
    },
  };

  return [
    route(completion, { ...speaking, body: promptBody }, (caller, request) =>
      start(caller, request, {
        kind: "completion",
        parentId: request.parent_message_id,
        prompt: request.prompt,
        fileIds: request.ref_file_ids,
        knownLastMessageId: request.known_last_message_id,
        thinking: request.thinking_enabled,
        search: request.search_enabled,
        model: request.model,
      }),
    ),
    route(regenerate, speaking, (caller, request) =>
      start(caller, request, {
        kind: "regenerate",
        childId: request.child_message_id,
        thinking: request.thinking_enabled,
        search: request.search_enabled,
        model: request.model,
      }),
    ),
    route(editMessage, { ...speaking, body: promptBody }, (caller, request) =>
      start(caller, request, {
        kind: "edit",
        messageId: request.message_id,
        prompt: request.prompt,
        thinking: request.thinking_enabled,
        search: request.search_enabled,
        model: request.model,
      }),
    ),
    route(continueMessage, continuing, async (caller, request) => {
      if (request.fallback_to_resume) {
        const known = await loadReply(db.kysely, caller.user.id, request.chat_session_id, request.message_id);
        if (known.reply !== null && (known.head.status === "WIP" || known.head.status === "FINISHED")) {
          return service.resume(known, caller.user, lastEventIdOf(caller));
        }
      }
      return start(caller, request, { kind: "continue", messageId: request.message_id });
    }),
  ];
}

/** A whole stream that is known beforehand and not kept. */
function streamOf(events: readonly StreamEvent[]): StreamAnswer {
  return new StreamAnswer((response) => {
    const sse = createSseResponse(response);
    const encoder = createEncoder();
    events.forEach((event, index) => sse.write(encoder.encode(event, index + 1)));
    sse.end();
  });
}
