// Like, dislike or nothing on a reply (wire-contract.md §11.9).
import type { Feedback } from "@plumb/protocol/conversation/message";
import type { RequestOf } from "@plumb/protocol/wire/call";
import { FeedbackRefusal, messageFeedback } from "@plumb/protocol/wire/feedback";
import type { Deps } from "../../platform/deps.ts";
import { route, type Route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import { findMessageHead } from "../sessions/message-store.ts";
import { requireSession } from "../sessions/session-of-caller.ts";
import { lockSession } from "../sessions/session-store.ts";
import { storeFeedback } from "./feedback-store.ts";

const api = { rate: "api", accountStatus: "any" } as const;

export function feedbackRoutes({ db }: Deps): Route[] {
  return [
    route(messageFeedback, api, async ({ user }, request) => {
      await db.transaction(async (trx) => {
        const session = requireSession(await lockSession(db, trx, user.id, request.chat_session_id));
        const head = await findMessageHead(trx, session.id, request.message_id);
        if (head === undefined) throw new Refusal(FeedbackRefusal.MessageNotFound);
        if (head.role !== "ASSISTANT") throw new Refusal(FeedbackRefusal.NotAnAssistantMessage);
        await storeFeedback(trx, session.id, head.message_id, feedbackOf(request));
      });
      return null;
    }),
  ];
}

/** Null where the feedback is taken back: then tag and description go, too. */
function feedbackOf(request: RequestOf<typeof messageFeedback>): Feedback | null {
  const { feedback_type, feedback_tag, description } = request;
  if (feedback_type === null || feedback_type === "") return null;
  return { feedback_type, feedback_tag, description };
}
