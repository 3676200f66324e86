// A history that was said before there was an index: rows, and the queue of those that wait for being indexed.
import { insertMessages, type MessageRow } from "../../src/features/sessions/message-store.ts";
import { insertSession } from "../../src/features/sessions/session-store.ts";
import { waitForIndex } from "../../src/features/sessions/waiting-store.ts";
import { storedMessage, storedSession } from "../stored-rows.ts";
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
    const messages = { last_message_id: texts.length };
    await insertSession(
      trx,
      storedSession({ id, user_id: userId, seq_id: (seqId += 1), title, ...messages }),
    );
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
  return storedMessage({
    session_id: sessionId,
    message_id: id,
    user_id: userId,
    fragments: JSON.stringify(fragments),
    inserted_at: at,
  });
}
