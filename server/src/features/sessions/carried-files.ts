// The files that messages of a session carry, as the wire tells them.
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import type { Queryable } from "../../platform/database/database.ts";
import { filesOfSession } from "../files/file-store.ts";
import { presentFile } from "../files/present-file.ts";
import { fileIdsOf, type MessageRow } from "./message-store.ts";

/** By their ids. Asks the database only where one of the messages, all of one session, carries any. */
export async function carriedFiles(
  q: Queryable,
  messages: readonly Pick<MessageRow, "session_id" | "files">[],
): Promise<Map<string, FileInfo>> {
  const carrier = messages.find((message) => fileIdsOf(message).length > 0);
  if (carrier === undefined) return new Map();
  const rows = await filesOfSession(q, carrier.session_id);
  return new Map([...rows].map(([id, row]) => [id, presentFile(row)]));
}
