// A share as plain text, for readers without scripts: who says what, and the sources of it, some messages at a time.
import { type Fragment, isFragment } from "@plumb/protocol/conversation/fragment";
import { isUnseen } from "@plumb/protocol/rules/one-line";
import { drawnCitations } from "@plumb/protocol/rules/linked-citations";
import type { Database } from "../../platform/database/database.ts";
import { ownTurn } from "../../platform/own-turn.ts";
import { groupsOf } from "../sessions/message-pieces.ts";
import { fileIdsOf } from "../sessions/message-store.ts";
import {
  listSharedFiles,
  listSharedHeads,
  loadShared,
  type SharedFileRow,
  type SharedMessageRow,
} from "./share-messages-store.ts";
import type { ShareRow } from "./share-store.ts";

/** A message of more bytes has no place here: its words would have to be whole in memory. */
const MESSAGE_BYTES = 1024 * 1024;

/** The text in pieces. Ends where the share does. */
export async function shareText(db: Database, share: ShareRow): Promise<AsyncIterable<string>> {
  const heads = await listSharedHeads(db.kysely, share.id);
  const files = new Map((await listSharedFiles(db.kysely, share.id)).map((file) => [file.shown_id, file]));
  async function* pieces(): AsyncGenerator<string> {
    if (share.title !== null) yield `${share.title}\n\n`;
    for (const group of groupsOf(heads)) {
      await ownTurn();
      const [first] = group;
      if (first !== undefined && first.bytes > MESSAGE_BYTES) {
        yield `${nameOf(first.role)}:\n[This message is too long to be shown here.]\n\n`;
        continue;
      }
      const ids = group.map((head) => head.message_id);
      for (const row of await loadShared(db.kysely, share.id, ids)) yield messageText(row, files);
    }
  }
  return pieces();
}

const nameOf = (role: string) => (role === "USER" ? "User" : "Assistant");

/** Why a reply ended otherwise than by finishing, as the page says it of a share. */
const UNFINISHED: Readonly<Record<string, string>> = {
  INCOMPLETE: "The reply ended before it was complete.",
  TIMEOUT: "The reply timed out before the end.",
  CONTEXT_LENGTH_EXCEEDED: "This chat has reached its length limit.",
};

function endOf({ role, status }: SharedMessageRow, words: readonly string[]): string[] {
  if (role === "USER") return [];
  if ((status === "INCOMPLETE" || status === "FINISHED") && words.every(isUnseen))
    return ["[No reply was received.]"];
  const reason = UNFINISHED[status];
  return reason === undefined ? [] : [`[${reason}]`];
}

function messageText(row: SharedMessageRow, files: ReadonlyMap<string, SharedFileRow>): string {
  const fragments = JSON.parse(row.fragments) as Fragment[];
  const results = fragments.flatMap((part) => (isFragment(part, "SEARCH") ? part.results : []));
  const known = new Set(results.map(({ cite_index }) => cite_index));
  const words = fragments.flatMap((part) => {
    if (isFragment(part, "REQUEST")) return [part.content];
    return isFragment(part, "RESPONSE") || isFragment(part, "TEMPLATE_RESPONSE")
      ? [drawnCitations(part.content, (number) => (known.has(number) ? `[${number}]` : null))]
      : [];
  });
  const attached = fileIdsOf(row).flatMap((id) => files.get(id)?.name ?? []);
  const sources = results.map(({ cite_index, title, url }) => `[${cite_index ?? "–"}] ${title} ${url}`);
  const lines = [...attached.map((name) => `[${name}]`), ...words, ...endOf(row, words), ...sources];
  return `${nameOf(row.role)}:\n${lines.join("\n")}\n\n`;
}
