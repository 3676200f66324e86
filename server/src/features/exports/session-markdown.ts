// A conversation as a document, written as it is read: the branch that is shown, then all others (wire-contract.md §14).
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import { type Branch, branchOrder, versionsOf } from "@plumb/protocol/documents/branch-order";
import type { DocumentTexts } from "@plumb/protocol/documents/document-texts";
import { documentHeading, messageBody, messageHeading } from "@plumb/protocol/documents/message-markdown";
import type { Database } from "../../platform/database/database.ts";
import { ownTurn } from "../../platform/own-turn.ts";
import type { StoredMessage } from "../sessions/message-pieces.ts";
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
  // Small ones come some at a time, in a turn of their own (read-sessions.ts).
  if (read.small === null) await ownTurn();
  const session = presentSession(read.session);
  const messages = read.small === null ? read.heads : read.small.map(({ message }) => message);
  const versions = versionsOf(messages);
  const asText: AsText = (message, body) =>
    `\n${messageHeading(message, versions.get(message.message_id), texts)}\n\n${body}\n`;
  const branches = branchOrder(messages, session.current_message_id);
  const heading = documentHeading(session, texts);
  const headingOf = (index: number, { after }: Branch): string =>
    index === 0 ? "" : `\n---\n\n# ${texts.otherBranch(after)}\n`;
  if (read.small !== null) {
    const textOf = textsOf(read.small, { texts, asText });
    yield branches.reduce(
      (text, branch, index) => text + headingOf(index, branch) + branch.ids.map(textOf).join(""),
      heading,
    );
    return;
  }
  yield heading;
  const headOf = new Map(read.heads.map((head) => [head.message_id, head]));
  for (const [index, branch] of branches.entries()) {
    yield headingOf(index, branch);
    const heads = branch.ids.flatMap((id) => headOf.get(id) ?? []);
    yield* loadedBranch(db, heads, { files: read.files, texts, asText });
  }
}

/** The text of each message that is in memory, by its id. */
function textsOf(
  messages: readonly StoredMessage[],
  { texts, asText }: { texts: DocumentTexts; asText: AsText },
): (id: number) => string {
  const byId = new Map(messages.map((stored) => [stored.message.message_id, stored]));
  return (id) => {
    const stored = byId.get(id);
    if (stored === undefined) return "";
    const { message } = stored;
    const { files, status, feedback } = message;
    const fragments = JSON.parse(stored.fragments) as Fragment[];
    return asText(message, messageBody({ fragments, files, status, feedback }, texts));
  };
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
