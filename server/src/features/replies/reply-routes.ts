// Resume, stop, look up (wire-contract.md §11.6–§11.8).
import { ReplyRefusal, getClientStreams, resumeStream, stopStream } from "@plumb/protocol/wire/replies";
import { RequestHeader } from "@plumb/protocol/wire/headers";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { route, type Route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import { statusesOf } from "../sessions/message-store.ts";
import { loadReply } from "../sessions/reply-lookup-store.ts";
import { findRepliesByStream, runningReplies } from "../sessions/reply-store.ts";
import { requireSession } from "../sessions/session-of-caller.ts";
import { findSession } from "../sessions/session-store.ts";
import type { ReplyService } from "./reply-service.ts";
import { stopReply } from "./stop-reply.ts";

const api = { rate: "api", accountStatus: "any", muted: "allowed" } as const;
const resumes = { ...api, answers: ["event-stream", "large-json"] } as const;

/** The header as a number; null when it is absent or no event id. */
export function lastEventIdOf({ headers }: Pick<RequestContext, "headers">): number | null {
  const value = headers[RequestHeader.LastEventId];
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : null;
}

export function replyRoutes(service: ReplyService): Route[] {
  const { context } = service;
  const { db, ports, config } = context;
  return [
    route(resumeStream, resumes, async (request, { chat_session_id, message_id }) => {
      const known = await loadReply(db.kysely, request.user.id, chat_session_id, message_id);
      if (known.reply === null) throw new Refusal(ReplyRefusal.ResumeMessageNotFound);
      const { ended_at } = known.reply;
      const over = ended_at !== null && known.head.status !== "WIP";
      if (over && ports.clock.now() - ended_at > config.replyRetentionMs) {
        throw new Refusal(ReplyRefusal.ResumeTimeTooLong);
      }
      return service.resume(known, request.user, lastEventIdOf(request));
    }),

    route(stopStream, api, async ({ user }, { chat_session_id, message_id }) => {
      const session = requireSession(await findSession(db.kysely, user.id, chat_session_id));
      const running = await runningReplies(db.kysely, [session.id]);
      const meant = running.filter((reply) => message_id === null || reply.message_id === message_id);
      await Promise.all(meant.map((reply) => stopReply(context, reply)));
      return null;
    }),

    route(getClientStreams, api, async ({ user }, { chat_session_id, client_stream_ids }) => {
      const session = requireSession(await findSession(db.kysely, user.id, chat_session_id));
      const usable = client_stream_ids.filter((id) => !id.includes("\0"));
      const replies = await findRepliesByStream(db.kysely, session.id, usable);
      const ids = replies.map((reply) => reply.message_id);
      const statuses = await statusesOf(db.kysely, session.id, ids);
      return {
        client_streams: replies.flatMap((reply) => {
          const status = statuses.get(reply.message_id);
          if (status === undefined || reply.client_stream_id === null) return [];
          return {
            client_stream_id: reply.client_stream_id,
            request_message_id: reply.request_message_id,
            response_message_id: reply.message_id,
            status,
          };
        }),
      };
    }),
  ];
}
