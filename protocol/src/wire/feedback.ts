// What a reader thinks of a reply (wire-contract.md §11.9).
import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { defineCall } from "./call.ts";
import { id, maybe, text } from "./fields.ts";
import { SessionRefusal } from "./sessions.ts";

export const FeedbackRefusal = {
  ...SessionRefusal,
  MessageNotFound: { code: 2, msg: "MESSAGE_NOT_FOUND" },
  NotAnAssistantMessage: { code: 3, msg: "NOT_AN_ASSISTANT_MESSAGE" },
} as const;

/** `feedback_type` "" or null takes the feedback back. A tag that is none of the known ones is stored as it is. */
export const messageFeedback = defineCall<null>()({
  method: "POST",
  path: "/api/v0/chat/message_feedback",
  request: z.object({
    chat_session_id: z.string(),
    message_id: id,
    feedback_type: z.nullable(z.enum(["GOOD", "BAD", ""])),
    feedback_tag: maybe(text(LIMITS.feedbackTagChars)),
    description: maybe(text(LIMITS.feedbackDescriptionChars)),
  }),
});
