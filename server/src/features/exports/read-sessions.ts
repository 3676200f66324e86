// The sessions of an export, read in few queries: of small ones many at a time, with all their messages.
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import type { Database } from "../../platform/database/database.ts";
import { oneAhead } from "../../platform/one-ahead.ts";
import { ownTurn } from "../../platform/own-turn.ts";
import { carriedFiles } from "../sessions/carried-files.ts";
import { PIECE_BYTES, storedMessage, type StoredMessage } from "../sessions/message-pieces.ts";
import {
  listMessageHeads,
  listMessagesOfSessions,
  type MessageHead,
  type MessageRow,
  sizesOfSessions,
} from "../sessions/message-store.ts";
import { type SessionRow, sessionsOfIds } from "../sessions/session-store.ts";

const SESSIONS_PER_LOOK = 50;
/** Of one session; and their bytes are no more than PIECE_BYTES. */
const MESSAGES_PER_SESSION = 200;
/** Of several sessions together. */
const MESSAGES_PER_READ = 2 * MESSAGES_PER_SESSION;
const BYTES_PER_READ = 2 * PIECE_BYTES;

/** A session with its messages, by message_id: all there is of them where they are small, else without their words. */
export type ReadSession = {
  session: SessionRow;
  /** Those that its messages carry. */
  files: ReadonlyMap<string, FileInfo>;
} & ({ small: readonly StoredMessage[] } | { small: null; heads: readonly MessageHead[] });

/**
 * Those of the user's sessions with these ids that are there, in their order. One with more messages, or longer ones, is
 * read without their words, and so is one with a reply that runs: its words stand elsewhere.
 */
export async function* readSessions(
  db: Database,
  userId: string,
  ids: readonly string[],
): AsyncGenerator<ReadSession> {
  for await (const group of oneAhead(readGroups(db, userId, ids))) yield* group;
}

async function* readGroups(
  db: Database,
  userId: string,
  ids: readonly string[],
): AsyncGenerator<ReadSession[], void> {
  for await (const groups of oneAhead(lookAtSessions(db, userId, ids))) {
    for (const group of groups) {
      await ownTurn();
      const rows = group.small ? await rowsOf(db, group.sessions) : null;
      const read: ReadSession[] = [];
      for (const session of group.sessions)
        read.push(await readSession(db, session, rows?.get(session.id) ?? null));
      yield read;
    }
  }
}

/** What can be read together, of some sessions at a time. */
async function* lookAtSessions(
  db: Database,
  userId: string,
  ids: readonly string[],
): AsyncGenerator<Group[], void> {
  for (let from = 0; from < ids.length; from += SESSIONS_PER_LOOK) {
    await ownTurn();
    const sessions = await sessionsOfIds(db.kysely, userId, ids.slice(from, from + SESSIONS_PER_LOOK));
    yield await groupsOf(db, sessions);
  }
}

interface Group {
  sessions: SessionRow[];
  /** Their messages are read together. Else it is one session. */
  small: boolean;
}

async function groupsOf(db: Database, sessions: readonly SessionRow[]): Promise<Group[]> {
  // So many messages, or fewer, as ids were given out: where those are many, messages are not even counted.
  const few = sessions
    .filter((session) => session.last_message_id <= MESSAGES_PER_SESSION)
    .map(({ id }) => id);
  const sizes = await sizesOfSessions(db.kysely, few);
  const groups: Group[] = [];
  let room = { messages: 0, bytes: 0 };
  for (const session of sessions) {
    const size = sizes.get(session.id);
    const small = size !== undefined && !size.running && size.bytes <= PIECE_BYTES;
    const { messages, bytes } = small ? size : { messages: Infinity, bytes: Infinity };
    const last = groups.at(-1);
    if (last === undefined || messages > room.messages || bytes > room.bytes) {
      groups.push({ sessions: [session], small });
      room = { messages: MESSAGES_PER_READ - messages, bytes: BYTES_PER_READ - bytes };
    } else {
      last.sessions.push(session);
      room = { messages: room.messages - messages, bytes: room.bytes - bytes };
    }
  }
  return groups;
}

/** The messages of each session. Null for one with a reply that has begun to run since it was looked at. */
async function rowsOf(
  db: Database,
  sessions: readonly SessionRow[],
): Promise<Map<string, MessageRow[] | null>> {
  const rows = new Map<string, MessageRow[] | null>(sessions.map(({ id }) => [id, []]));
  const ids = sessions.map(({ id }) => id);
  for (const row of await listMessagesOfSessions(db.kysely, ids)) {
    if (row.status === "WIP") rows.set(row.session_id, null);
    else rows.get(row.session_id)?.push(row);
  }
  return rows;
}

async function readSession(
  { kysely: q }: Database,
  session: SessionRow,
  rows: readonly MessageRow[] | null,
): Promise<ReadSession> {
  if (rows !== null) {
    const files = await carriedFiles(q, rows);
    return { session, small: rows.map((row) => storedMessage(row, files)), files };
  }
  const heads = await listMessageHeads(q, session.id);
  return { session, small: null, heads, files: await carriedFiles(q, heads) };
}
