// A person with a session of many turns, written straight into the product's SQLite file.
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { LoadClient } from "../../e2e/support/load-client.ts";
import { scriptedText } from "../../e2e/support/scripted-text.ts";
import type { ProductServer } from "./product-server.ts";

export interface LongSession {
  person: LoadClient;
  sessionId: string;
  /** Its last message, a reply. */
  lastMessageId: number;
}

/** Kinds of replies by turn: most are some paragraphs, some are rich, long or were thought about. */
function replyOf(turn: number): object[] {
  const words = scriptedText(`reply ${turn}`, 60 + (turn % 7) * 20);
  const rich = [
    words,
    `## Part ${turn}\n\n${words}\n\n- one **bold** word\n- \`two\`\n- three`,
    `${words}\n\n\`\`\`ts\n${"export const value = compute(1, 2);\n".repeat(8)}\`\`\`\n\nSo it is.`,
    `${words}\n\n| a | b |\n|---|---|\n| 1 | $x^2$ |\n| 3 | 4 |\n`,
    words,
  ][turn % 5];
  const answer = { id: 2 * turn + 2, type: "RESPONSE", content: rich };
  if (turn % 4 !== 0) return [answer];
  const thought = scriptedText(`thought ${turn}`, 400);
  return [{ id: 2 * turn + 1, type: "THINK", content: thought, elapsed_secs: 3 }, answer];
}

/** Writes a session of `messages` messages, in turns of a question and a reply; signs somebody up for it if it is nobody's. */
export async function makeLongSession(
  server: ProductServer,
  messages: number,
  owner?: LoadClient,
): Promise<LongSession> {
  const person = owner ?? (await LoadClient.signUp(() => server.origin, server.codeFor));
  const sessionId = await person.createSession();
  const db = new DatabaseSync(join(server.dataDir, "plumb.db"));
  try {
    db.exec("pragma busy_timeout = 10000; begin immediate");
    const row = db.prepare("select user_id from sessions where id = ?").get(sessionId);
    const insert =
      db.prepare(`insert into messages (session_id, message_id, user_id, parent_id, role, status, fragments,
        files, thinking_enabled, search_enabled, ban_regenerate, ban_edit, inserted_at, last_event_id)
      values (?, ?, ?, ?, ?, 'FINISHED', ?, '[]', 0, 0, 0, 0, ?, 0)`);
    const userId = String(row?.["user_id"]);
    for (let id = 1; id <= messages; id += 1) {
      const turn = Math.floor((id - 1) / 2);
      const asks = id % 2 === 1;
      const fragments = asks
        ? [{ id: 1, type: "REQUEST", content: scriptedText(`question ${turn}`, 8 + (turn % 5) * 6) }]
        : replyOf(turn);
      const parent = id === 1 ? null : id - 1;
      const role = asks ? "USER" : "ASSISTANT";
      insert.run(sessionId, id, userId, parent, role, JSON.stringify(fragments), Date.now());
    }
    db.prepare(
      `update sessions set title = 'A long chat', title_type = 'USER', version = version + 1, current_message_id = ?,
        last_message_id = ?, updated_at = ? where id = ?`,
    ).run(messages, messages, Date.now(), sessionId);
    db.exec("commit");
  } finally {
    db.close();
  }
  const { chat_messages: stored } = await person.history(sessionId);
  if (stored.length !== messages) throw new Error(`${stored.length} of ${messages} messages are there.`);
  return { person, sessionId, lastMessageId: messages };
}
