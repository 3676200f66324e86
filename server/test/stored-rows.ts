// Rows of sessions, messages and jobs as the product writes them, for whoever needs many without the calls.
import type { MessageRow } from "../src/features/sessions/message-store.ts";
import type { SessionRow } from "../src/features/sessions/session-store.ts";
import type { JobRow } from "../src/platform/jobs/job-store.ts";

/** A session that has begun long ago, with `last_message_id` messages. */
export function storedSession(
  row: Pick<SessionRow, "id" | "user_id" | "seq_id"> & Partial<SessionRow>,
): SessionRow {
  const messages = row.last_message_id ?? 0;
  return {
    agent: "chat",
    character_id: null,
    title: null,
    title_type: "USER",
    version: 1,
    current_message_id: messages === 0 ? null : messages,
    last_message_id: messages,
    inserted_at: 1,
    updated_at: 1,
    deleted_at: null,
    pinned_at: null,
    ...row,
  };
}

/** A prompt where its id is odd, else a reply that has ended; each answers the one before. */
export function storedMessage(
  row: Pick<MessageRow, "session_id" | "message_id" | "user_id" | "fragments"> & Partial<MessageRow>,
): MessageRow {
  const { message_id: id } = row;
  return {
    parent_id: id === 1 ? null : id - 1,
    role: id % 2 === 1 ? "USER" : "ASSISTANT",
    status: "FINISHED",
    files: "[]",
    accumulated_token_usage: 1,
    thinking_enabled: 0,
    search_enabled: 0,
    ban_regenerate: 0,
    ban_edit: 0,
    feedback: null,
    model: "",
    inserted_at: 1,
    client_stream_id: null,
    last_event_id: 0,
    stopped: 0,
    ...row,
  };
}

/** A job whose process has died: whoever looks next does it. */
export function orphanedJob(row: Pick<JobRow, "subject" | "kind" | "user_id"> & Partial<JobRow>): JobRow {
  const dead = { owner: "a process that died", epoch: 1, attempts: 0, renewed_at: 0, due_at: 0 };
  return { ...dead, weight: 0, is_long: 0, ...row };
}
