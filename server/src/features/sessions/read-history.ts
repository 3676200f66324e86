// A whole session as its owner sees it, written as it is read: never whole in memory.
import type { History } from "@plumb/protocol/wire/sessions";
import type { Database } from "../../platform/database/database.ts";
import { type JsonPiece, LargeJsonAnswer } from "../../platform/http/answers.ts";
import { carriedFiles } from "./carried-files.ts";
import { messagesAsJson, PIECE_BYTES } from "./message-pieces.ts";
import {
  hasRunningReply,
  listMessageHeads,
  loadMessages,
  type MessageHead,
  presentMessage,
} from "./message-store.ts";
import { presentSession, type SessionRow } from "./session-store.ts";

/**
 * The answer of wire-contract.md §10.6: all messages of all branches by message_id, or none when `cacheVersion` is the session's
 * and no reply runs.
 */
export async function readHistory(
  db: Database,
  session: SessionRow,
  cacheVersion: number | null,
): Promise<History | LargeJsonAnswer> {
  const chatSession = presentSession(session);
  if (cacheVersion === session.version && !(await hasRunningReply(db.kysely, session.id))) {
    return { chat_session: chatSession, chat_messages: [], cache_valid: true, route_id: null };
  }
  const heads = await listMessageHeads(db.kysely, session.id);
  const files = await carriedFiles(db.kysely, heads);
  if (isSmall(heads)) {
    const ids = heads.map((head) => head.message_id);
    const rows = await loadMessages(db.kysely, session.id, ids);
    const messages = rows.map((row) => presentMessage(row, files));
    return { chat_session: chatSession, chat_messages: messages, cache_valid: false, route_id: null };
  }
  async function* pieces(): AsyncGenerator<JsonPiece> {
    yield `{"chat_session":${JSON.stringify(chatSession)},"chat_messages":[`;
    let separator = "";
    for await (const message of messagesAsJson(db, heads, files)) {
      yield separator;
      separator = ",";
      yield* message;
    }
    yield '],"cache_valid":false,"route_id":null}';
  }
  return new LargeJsonAnswer(pieces());
}

/** True for what may be answered at once: about one piece, and no running reply, which only its log knows. */
function isSmall(heads: readonly MessageHead[]): boolean {
  const bytes = heads.reduce((sum, head) => sum + head.bytes, 0);
  return bytes <= PIECE_BYTES && heads.every((head) => head.status !== "WIP");
}
