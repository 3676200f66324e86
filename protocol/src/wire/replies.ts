// A running reply: resume, stop, look up (wire-contract.md §11.6–§11.8).
import * as z from "zod/mini";
import type { Message, MessageStatus } from "../conversation/message.ts";
import { LIMITS } from "../limits.ts";
import { defineCall } from "./call.ts";
import { id, maybe } from "./fields.ts";
import { SessionRefusal, type Session } from "./sessions.ts";

export const ReplyRefusal = {
  ...SessionRefusal,
  InvalidParams: { code: 2, msg: "INVALID_PARAMS" },
  ResumeMessageNotFound: { code: 7, msg: "RESUME_MESSAGE_NOT_FOUND" },
  ResumeTimeTooLong: { code: 8, msg: "RESUME_TIME_TOO_LONG" },
} as const;

/** A success: the reply has ended and comes whole. */
export const ResumeGotFullMessage = { code: 22, msg: "RESUME_GOT_FULL_MESSAGE" } as const;

/** biz_data of ResumeGotFullMessage. */
export interface FullMessage {
  message: Message;
  chat_session: Session;
}

/** `message_id` is the reply. A running one answers with a stream, an ended one with ResumeGotFullMessage. */
export const resumeStream = defineCall<FullMessage>()({
  method: "POST",
  path: "/api/v0/chat/resume_stream",
  answers: "stream",
  successCodes: [ResumeGotFullMessage.code],
  request: z.object({ chat_session_id: z.string(), message_id: id }),
});

/** Without `message_id` the running reply of the session is meant. Null also when nothing ran. */
export const stopStream = defineCall<null>()({
  method: "POST",
  path: "/api/v0/chat/stop_stream",
  request: z.object({ chat_session_id: z.string(), message_id: maybe(id) }),
});

export interface ClientStream {
  client_stream_id: string;
  request_message_id: number;
  response_message_id: number;
  status: MessageStatus;
}

/** Unknown ids are left out of the answer. */
export const getClientStreams = defineCall<{ client_streams: ClientStream[] }>()({
  method: "POST",
  path: "/api/v0/chat/get_client_streams",
  request: z.object({
    chat_session_id: z.string(),
    client_stream_ids: z.array(z.string()).check(z.maxLength(LIMITS.clientStreamLookupMax)),
  }),
});
