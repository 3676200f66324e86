// A conversation as a document, written as it is read: the branch that is shown, then all others (wire-contract.md §14).
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import type { Message } from "@plumb/protocol/conversation/message";
import { branchOrder, versionsOf } from "@plumb/protocol/documents/branch-order";
import type { DocumentTexts } from "@plumb/protocol/documents/document-texts";
import { documentHeading, messageBody, messageHeading } from "@plumb/protocol/documents/message-markdown";
import type { Database } from "../../platform/database/database.ts";
import { ownTurn } from "../../platform/own-turn.ts";
import { loadMessages, type MessageHead, presentHead, presentMessage } from "../sessions/message-store.ts";
import { presentSession } from "../sessions/session-store.ts";
import type { ReadSession } from "./read-sessions.ts";

/** A larger message would hold everybody up while it is parsed; sessions.json has it (UTF-8 bytes of its JSON). */
const SHOWN_BYTES = 1024 * 1024;
/** Messages that are read together, and bytes of them. */
const GROUP_MESSAGES = 100;
const GROUP_BYTES = 128 * 1024;

type FilesById = ReadonlyMap<string, FileInfo>;

/** A message as the document has it. */
type AsText = (message: Message, body: string) => string;

export async function* sessionMarkdown(
  db: Database,
  read: ReadSession,
  texts: DocumentTexts,
): AsyncGenerator<string> {
  await ownTurn();
  const session = presentSession(read.session);
  yield documentHeading(session, texts);
  const messages = read.small === null ? read.heads : read.small.map(({ message }) => message);
  const versions = versionsOf(messages);
  const asText: AsText = (message, body) =>
    `\n${messageHeading(message, versions.get(message.message_id), texts)}\n\n${body}\n`;
  const branchAsText = branchWriter(db, read, { texts, asText });
  for (const [index, { after, ids }] of branchOrder(messages, session.current_message_id).entries()) {
    if (index > 0) yield `\n---\n\n# ${texts.otherBranch(after)}\n`;
    yield* branchAsText(ids);
  }
}

type BranchWriter = (ids: readonly number[]) => Iterable<string> | AsyncIterable<string>;

/** How the messages of a branch are written: those that are in memory at once, others as they are read. */
function branchWriter(
  db: Database,
  read: ReadSession,
  { texts, asText }: { texts: DocumentTexts; asText: AsText },
): BranchWriter {
  if (read.small === null) {
    const headsOf = byIds(read.heads);
    return (ids) => loadedBranch(db, headsOf(ids), { files: read.files, texts, asText });
  }
  const messagesOf = byIds(read.small.map(({ message }) => message));
  return (ids) => [
    messagesOf(ids)
      .map((message) => asText(message, messageBody(message, texts)))
      .join(""),
  ];
}

function byIds<M extends { message_id: number }>(messages: readonly M[]): (ids: readonly number[]) => M[] {
  const byId = new Map(messages.map((message) => [message.message_id, message]));
  return (ids) => ids.flatMap((id) => byId.get(id) ?? []);
}

async function* loadedBranch(
  db: Database,
  heads: readonly MessageHead[],
  { files, texts, asText }: { files: FilesById; texts: DocumentTexts; asText: AsText },
): AsyncGenerator<string> {
  for (const group of groupsOf(heads)) {
    const bodies = await bodiesOf(db, group, { files, texts });
    for (const head of group) yield asText(presentHead(head), bodies.get(head.message_id) ?? "");
  }
}

function groupsOf(heads: readonly MessageHead[]): MessageHead[][] {
  const groups: MessageHead[][] = [];
  let bytes = 0;
  for (const head of heads) {
    const group = groups.at(-1);
    bytes += head.bytes;
    if (group === undefined || group.length === GROUP_MESSAGES || bytes > GROUP_BYTES) {
      groups.push([head]);
      bytes = head.bytes;
    } else group.push(head);
  }
  return groups;
}

/** What stands below the heading of each. A message that has gone since has nothing. */
async function bodiesOf(
  db: Database,
  group: readonly MessageHead[],
  { files, texts }: { files: FilesById; texts: DocumentTexts },
): Promise<Map<number, string>> {
  const bodies = new Map<number, string>();
  for (const { message_id: id, bytes } of group)
    if (bytes > SHOWN_BYTES) bodies.set(id, `*${texts.tooLong}*`);
  const ids = group.map(({ message_id: id }) => id).filter((id) => !bodies.has(id));
  await ownTurn();
  for (const row of await loadMessages(db.kysely, group[0]?.session_id ?? "", ids))
    bodies.set(row.message_id, messageBody(presentMessage(row, files), texts));
  return bodies;
}
