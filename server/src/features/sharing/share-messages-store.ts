// The messages of a share, copied from the session's within the database, and read again piece by piece. Who reads those of a
// share that has ended finds none, also where some are still stored.
import type { Selectable } from "kysely";
import { type RawBuilder, sql } from "kysely";
import type { SharedPlace } from "@plumb/protocol/rules/share-selection-rules";
import { bytesOfText } from "../../platform/database/bytes-of-text.ts";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import { preparedQuery } from "../../platform/database/prepared-query.ts";
import type { ShareFilesTable, ShareMessagesTable } from "../../platform/database/schema.ts";
import { keptColumns, sharedHeadColumns } from "../sessions/message-columns.ts";
import type { MessageHead } from "../sessions/message-store.ts";
import { LIVE } from "./share-state.ts";

export type SharedMessageRow = Selectable<ShareMessagesTable>;
/** A message of a share without its words. `bytes` are those of `fragments`. */
export type SharedHead = Omit<SharedMessageRow, "fragments"> & { bytes: number };
export type SharedFileRow = Selectable<ShareFilesTable>;

const bytesOfFragments = sql<number>`octet_length(share_messages.fragments)`;

/**
 * For whoever reads words of a share: false from the moment on that it has ended, though some may be stored a while longer
 * (delete-share-words.ts).
 */
export function isLive(shareId: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from shares where id = ${shareId} and state in (${sql.join(LIVE)}))`;
}

interface Copied {
  share_id: string;
  session_id: string;
  source: number;
  status: string;
  bytes: number;
  message_id: number;
  parent_id: number | null;
  files: string;
  accumulated_token_usage: number;
}

const insertCopy = preparedQuery<Copied, { message_id: number }>((q, value) =>
  q
    .insertInto("share_messages")
    .columns([
      "share_id",
      "message_id",
      "parent_id",
      "files",
      "accumulated_token_usage",
      "user_id",
      "fragments",
      ...keptColumns,
    ])
    .expression(
      q
        .selectFrom("messages")
        .select([
          sql<string>`cast(${value("share_id")} as text)`.as("share_id"),
          sql<number>`cast(${value("message_id")} as bigint)`.as("message_id"),
          sql<number | null>`cast(${value("parent_id")} as bigint)`.as("parent_id"),
          sql<string>`cast(${value("files")} as text)`.as("files"),
          sql<number>`cast(${value("accumulated_token_usage")} as bigint)`.as("accumulated_token_usage"),
          "user_id",
          "fragments",
          ...keptColumns,
        ])
        .where("session_id", "=", value("session_id"))
        .where("message_id", "=", value("source"))
        .where("status", "=", value("status"))
        .where(sql<number>`octet_length(fragments)`, "=", value("bytes")),
    )
    .returning("message_id"),
);

/**
 * Copies a message of a session to its place in a share. `fileIds` are those that readers see. False when it is not the one
 * of `head` any more: it was deleted, or its reply goes on.
 */
export async function copyIntoShare(
  trx: Trx,
  {
    shareId,
    head,
    place,
    fileIds,
  }: {
    shareId: string;
    head: MessageHead;
    place: SharedPlace;
    fileIds: readonly string[];
  },
): Promise<boolean> {
  const copied = await insertCopy(trx, {
    share_id: shareId,
    session_id: head.session_id,
    source: head.message_id,
    status: head.status,
    bytes: head.bytes,
    message_id: place.message_id,
    parent_id: place.parent_id,
    files: JSON.stringify(fileIds),
    accumulated_token_usage: place.accumulated_token_usage,
  });
  return copied.length === 1;
}

/**
 * How many questions are in each of these shares, of which there must be few: half of the messages, which go in pairs. The index
 * alone tells that, where their roles stand in rows with all of their words.
 */
export async function countQuestions(
  q: Queryable,
  shareIds: readonly string[],
): Promise<Map<string, number>> {
  if (shareIds.length === 0) return new Map();
  const rows = await q
    .selectFrom("share_messages")
    .select(({ fn }) => ["share_id", fn.countAll<number>().as("messages")])
    .where("share_id", "in", [...shareIds])
    .groupBy("share_id")
    .execute();
  return new Map(rows.map(({ share_id: id, messages }) => [id, Number(messages) / 2]));
}

/** The heads of a share's messages, all or the first `atMost` of them, by message_id. */
export async function listSharedHeads(q: Queryable, shareId: string, atMost?: number): Promise<SharedHead[]> {
  const query = q
    .selectFrom("share_messages")
    .select([...sharedHeadColumns, bytesOfFragments.as("bytes")])
    .where("share_id", "=", shareId)
    .where(isLive(shareId))
    .orderBy("message_id");
  return (atMost === undefined ? query : query.limit(atMost)).execute();
}

/** The messages with these ids, by message_id. Those that are gone are left out. */
export async function loadShared(
  q: Queryable,
  shareId: string,
  ids: readonly number[],
): Promise<SharedMessageRow[]> {
  return q
    .selectFrom("share_messages")
    .selectAll()
    .where("share_id", "=", shareId)
    .where("message_id", "in", [...ids])
    .where(isLive(shareId))
    .orderBy("message_id")
    .execute();
}

/** Up to `count` bytes of a message's `fragments` from the byte `from` on; undefined when it is gone. */
export async function readSharedBytes(
  db: Database,
  { share_id, message_id }: Pick<SharedHead, "share_id" | "message_id">,
  from: number,
  count: number,
): Promise<Uint8Array | undefined> {
  const row = await db.kysely
    .selectFrom("share_messages")
    .select(bytesOfText(db, "fragments", from, count).as("bytes"))
    .where("share_id", "=", share_id)
    .where("message_id", "=", message_id)
    .where(isLive(share_id))
    .executeTakeFirst();
  return row?.bytes;
}

export async function insertSharedFiles(q: Queryable, rows: readonly SharedFileRow[]): Promise<void> {
  if (rows.length > 0)
    await q
      .insertInto("share_files")
      .values([...rows])
      .execute();
}

/** The files that a share's messages carry. */
export async function listSharedFiles(q: Queryable, shareId: string): Promise<SharedFileRow[]> {
  return q
    .selectFrom("share_files")
    .selectAll()
    .where("share_id", "=", shareId)
    .where(isLive(shareId))
    .execute();
}

/** The rows of messages and files of a share, and what the words come to. */
export interface SharedSize {
  rows: number;
  /** UTF-8 bytes of all `fragments`. */
  bytes: number;
}

/** What is stored of a share, read no further than to know that it is more than `most`. */
export async function sizeOfSharedUpTo(
  q: Queryable,
  shareId: string,
  most: SharedSize,
): Promise<SharedSize | "larger"> {
  const messages = await q
    .selectFrom("share_messages")
    .select(bytesOfFragments.as("bytes"))
    .where("share_id", "=", shareId)
    .limit(most.rows + 1)
    .execute();
  const files = await q
    .selectFrom("share_files")
    .select("shown_id")
    .where("share_id", "=", shareId)
    .limit(most.rows + 1)
    .execute();
  const rows = messages.length + files.length;
  const bytes = messages.reduce((sum, row) => sum + Number(row.bytes), 0);
  return rows > most.rows || bytes > most.bytes ? "larger" : { rows, bytes };
}

/** Deletes all that is stored of these shares: there must be a bound on it. */
export async function deleteShared(q: Queryable, shareIds: readonly string[]): Promise<void> {
  if (shareIds.length === 0) return;
  for (const table of ["share_files", "share_messages"] as const)
    await q
      .deleteFrom(table)
      .where("share_id", "in", [...shareIds])
      .execute();
}

/** Deletes at most `count` rows of what is stored of a share; returns how many. */
export async function deleteFirstShared(q: Queryable, shareId: string, count: number): Promise<number> {
  const messages = await q
    .deleteFrom("share_messages")
    .where("share_id", "=", shareId)
    .where("message_id", "in", (eb) =>
      eb
        .selectFrom("share_messages")
        .select("message_id")
        .where("share_id", "=", shareId)
        .orderBy("message_id")
        .limit(count),
    )
    .executeTakeFirstOrThrow();
  const left = count - Number(messages.numDeletedRows);
  if (left === 0) return count;
  const files = await q
    .deleteFrom("share_files")
    .where("share_id", "=", shareId)
    .where("shown_id", "in", (eb) =>
      eb
        .selectFrom("share_files")
        .select("shown_id")
        .where("share_id", "=", shareId)
        .orderBy("shown_id")
        .limit(left),
    )
    .executeTakeFirstOrThrow();
  return count - left + Number(files.numDeletedRows);
}
