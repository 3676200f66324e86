// The feedback on a reply stands in the reply's own row: it goes when the message goes.
import type { Feedback } from "@plumb/protocol/conversation/message";
import type { Trx } from "../../platform/database/database.ts";

/** Writes the feedback on a message, or clears it, and raises the version of its session; it moves nothing in the list. */
export async function storeFeedback(
  trx: Trx,
  sessionId: string,
  messageId: number,
  feedback: Feedback | null,
): Promise<void> {
  await trx
    .updateTable("messages")
    .set({ feedback: feedback === null ? null : JSON.stringify(feedback) })
    .where("session_id", "=", sessionId)
    .where("message_id", "=", messageId)
    .execute();
  await trx
    .updateTable("sessions")
    .set((session) => ({ version: session("version", "+", 1) }))
    .where("id", "=", sessionId)
    .execute();
}
