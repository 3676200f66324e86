// A stored message as JSON text, piece by piece: its words go from the database to the reader as they are stored.
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import type { Message } from "@plumb/protocol/conversation/message";
import type { Database } from "../../platform/database/database.ts";
import type { JsonPiece } from "../../platform/http/answers.ts";
import { jsonPieces } from "../../platform/http/json-pieces.ts";
import { ownTurn } from "../../platform/own-turn.ts";
import { foldReplyPaced } from "./fold-reply.ts";
import {
  findMessage,
  findMessageHead,
  listWordsBetween,
  type MessageHead,
  type MessageRow,
  type MessageWords,
  presentHead,
  presentMessage,
  presentWithoutFragments,
  readFragmentBytes,
} from "./message-store.ts";
import { findReplyOfMessage } from "./reply-store.ts";

/** Bytes of words that are read from the database at a time. */
export const PIECE_BYTES = 128 * 1024;
/** PostgreSQL unpacks the whole text for each part of it: there the parts are fewer. */
const POSTGRES_PIECE_BYTES = 512 * 1024;
/** Messages that are read at a time, however small. */
const MESSAGES_PER_READ = 100;
/** In the JSON of a message. Quotes inside a text are escaped: this is the key, and nothing that somebody wrote. */
const NO_FRAGMENTS = '"fragments":[]';

/**
 * The messages of these heads, which are all of a session, as they stand now: what stands between the commas of their JSON
 * list, each large one by itself and in pieces, small ones together. Messages that are gone are left out.
 */
export async function* messagesAsJson(
  db: Database,
  heads: readonly MessageHead[],
  files: ReadonlyMap<string, FileInfo>,
): AsyncGenerator<AsyncIterable<JsonPiece> | Iterable<JsonPiece>> {
  for (const group of groupsOf(heads, (head) => head.status === "WIP")) {
    const [first] = group;
    if (first !== undefined && (first.bytes > PIECE_BYTES || first.status === "WIP")) {
      const pieces = await messageAsJson(db, first, files);
      if (pieces !== null) yield pieces;
      continue;
    }
    const last = group.at(-1);
    if (first === undefined || last === undefined) continue;
    await ownTurn();
    const range = { from: first.message_id, to: last.message_id };
    const stored = await withHeads(db, group, await listWordsBetween(db.kysely, first.session_id, range));
    const messages = stored.map(({ head, fragments }) => ({ message: presentHead(head, files), fragments }));
    if (messages.length > 0) yield [storedMessagesText(messages)];
  }
}

/** What was read of the messages of these heads, each with its head: as it is now, where its run has begun or ended since. */
async function withHeads(
  db: Database,
  heads: readonly MessageHead[],
  words: readonly MessageWords[],
): Promise<{ head: MessageHead; fragments: string }[]> {
  const byId = new Map(words.map((one) => [one.message_id, one]));
  const found: { head: MessageHead; fragments: string }[] = [];
  for (const head of heads) {
    const one = byId.get(head.message_id);
    if (one === undefined) continue;
    const holds = one.status === head.status;
    const now = holds ? head : await findMessageHead(db.kysely, head.session_id, head.message_id);
    if (now !== undefined) found.push({ head: now, fragments: one.fragments });
  }
  return found;
}

/** Messages that are read or copied together: small ones side by side, alone each large one and what `isAlone` says. */
export function groupsOf<M extends { bytes: number }>(
  heads: readonly M[],
  isAlone: (head: M) => boolean = () => false,
): M[][] {
  const groups: M[][] = [];
  let group: M[] = [];
  let bytes = 0;
  for (const head of heads) {
    const alone = head.bytes > PIECE_BYTES || isAlone(head);
    if (alone || bytes + head.bytes > PIECE_BYTES || group.length === MESSAGES_PER_READ) {
      if (group.length > 0) groups.push(group);
      group = [];
      bytes = 0;
    }
    if (alone) groups.push([head]);
    else {
      group.push(head);
      bytes += head.bytes;
    }
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

/** One message as it stands now, running or not; null when it is gone. A reply carries no files. */
export async function messageAsJson(
  db: Database,
  head: MessageHead,
  files?: ReadonlyMap<string, FileInfo>,
): Promise<AsyncIterable<JsonPiece> | null> {
  if (head.status !== "WIP") return storedMessagePieces(db, head, files);
  const running = await runningMessage(db, head);
  if (running !== null) return jsonPieces({ ...running });
  // It ended since: the stored message has it all now.
  const ended = await findMessageHead(db.kysely, head.session_id, head.message_id);
  return ended === undefined ? null : storedMessagePieces(db, ended);
}

/** A running reply, folded from its log and never from an older snapshot; null once it has ended. */
async function runningMessage(db: Database, head: MessageHead): Promise<Message | null> {
  const row = await findMessage(db.kysely, head.session_id, head.message_id);
  const reply = await findReplyOfMessage(db.kysely, head.session_id, head.message_id);
  if (row === undefined || reply === undefined || row.status !== "WIP") return null;
  const { message } = await foldReplyPaced(db.kysely, reply, row);
  // Feedback is given beside the log, which tells none.
  return message?.status === "WIP" ? { ...message, feedback: presentMessage(row).feedback } : null;
}

/** A message without fragments, and the JSON of those that are stored. */
export interface StoredMessage {
  message: Message;
  fragments: string;
}

export function storedMessage(row: MessageRow, files: ReadonlyMap<string, FileInfo>): StoredMessage {
  return { message: presentWithoutFragments(row, files), fragments: row.fragments };
}

/**
 * The JSON texts of the messages with commas between: their words stand there as they are stored, neither parsed nor written
 * anew. All heads are written at once, which is quicker than each.
 */
export function storedMessagesText(messages: readonly StoredMessage[]): string {
  const heads = JSON.stringify(messages.map(({ message }) => message)).slice(1, -1);
  const [before, ...after] = heads.split(NO_FRAGMENTS);
  return messages.reduce(
    (text, { fragments }, index) => `${text}"fragments":${fragments}${after[index]}`,
    before ?? "",
  );
}

/** The JSON text of a message that is stored whole. Throws when it changes while it is read. */
async function* storedMessagePieces(
  db: Database,
  head: MessageHead,
  files?: ReadonlyMap<string, FileInfo>,
): AsyncGenerator<JsonPiece> {
  const [before, after] = splitAtFragments(JSON.stringify(presentHead(head, files)));
  yield before;
  yield* fragmentPieces(db, head);
  yield after;
}

/** The JSON text of a message without fragments, before and after their empty list. */
export function splitAtFragments(text: string): [before: string, after: string] {
  const at = text.indexOf(NO_FRAGMENTS) + NO_FRAGMENTS.length - "[]".length;
  return [text.slice(0, at), text.slice(at + "[]".length)];
}

/** The stored fragments, JSON in UTF-8 as they are. */
export function fragmentPieces(db: Database, head: MessageHead): AsyncGenerator<Uint8Array> {
  return bytePieces(db, head.bytes, async (from, count) => {
    const bytes = await readFragmentBytes(db, head, from, count);
    if (bytes === undefined) throw new MessageChanged(head);
    return bytes;
  });
}

/** All of a stored text in parts of the size that suits the database: `read` gives up to `count` bytes from `from` on. */
export async function* bytePieces(
  db: Pick<Database, "engine">,
  bytes: number,
  read: (from: number, count: number) => Promise<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const pieceBytes = db.engine === "postgres" ? POSTGRES_PIECE_BYTES : PIECE_BYTES;
  for (let from = 0; from < bytes; from += pieceBytes) {
    await ownTurn();
    yield await read(from, pieceBytes);
  }
}

/** A message was deleted or continued while it was written: its reader is cut and asks again. */
class MessageChanged extends Error {
  constructor(head: MessageHead) {
    super(`message ${head.message_id} of session ${head.session_id} changed while it was read`);
  }
}
