// A history that was said before there was an index: rows, and the queue of those that wait for being indexed.
import { insertMessages, type MessageRow } from "../../src/features/sessions/message-store.ts";
import { insertSession } from "../../src/features/sessions/session-store.ts";
import { waitForIndex } from "../../src/features/sessions/waiting-store.ts";
import type { Database } from "../../src/platform/database/database.ts";

export interface StoredText {
  text: string;
  /** ms */
  at: number;
}

let seqId = 1_000_000;

/** One session with these texts as prompts and answers by turns. Returns its id; message ids count from 1. */
export async function storeHistory(
  db: Database,
  userId: string,
  texts: readonly StoredText[],
  title: string | null = null,
): Promise<string> {
  const id = crypto.randomUUID();
  await db.transaction(async (trx) => {
    await insertSession(trx, {
      id,
      user_id: userId,
      seq_id: (seqId += 1),
      agent: "chat",
      character_id: null,
      title,
      title_type: "USER",
      version: 1,
      current_message_id: texts.length,
      last_message_id: texts.length,
      inserted_at: 1,
      updated_at: 1,
      deleted_at: null,
      pinned_at: null,
    });
    await insertMessages(
      trx,
      texts.map((text, index) => messageRow(userId, id, index + 1, text)),
    );
    await waitForIndex(trx, id);
  });
  return id;
}

function messageRow(userId: string, sessionId: string, id: number, { text, at }: StoredText): MessageRow {
  const thought = { id: 1, type: "THINK", content: `Thoughtword ${id}`, elapsed_secs: 1 };
  const fragments =
    id % 2 === 1
      ? [{ id: 1, type: "REQUEST", content: text }]
      : [thought, { id: 2, type: "RESPONSE", content: text }];
  return {
    session_id: sessionId,
    message_id: id,
    user_id: userId,
    parent_id: id === 1 ? null : id - 1,
    role: id % 2 === 1 ? "USER" : "ASSISTANT",
    status: "FINISHED",
    fragments: JSON.stringify(fragments),
    files: "[]",
    accumulated_token_usage: 1,
    thinking_enabled: 0,
    search_enabled: 0,
    ban_regenerate: 0,
    ban_edit: 0,
    feedback: null,
    model: "",
    inserted_at: at,
    client_stream_id: null,
    last_event_id: 0,
  };
}
