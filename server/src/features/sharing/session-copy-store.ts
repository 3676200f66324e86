// Sessions that are made of a share, some messages at a time. Until its own row is there a session is nobody's; the row of
// its copying says so, and holds it against the purge of what a dead process has left.
import { sql } from "kysely";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import type { Clock } from "../../ports/clock.ts";
import { inSmallSteps } from "../../platform/small-steps.ts";
import { keptColumns } from "../sessions/message-columns.ts";
import { deleteMessagesOfSessions } from "../sessions/message-store.ts";
import { deleteRepliesOfSessions } from "../sessions/reply-store.ts";
import { isLive } from "./share-messages-store.ts";

const COPIES_PER_STEP = 10;
const asInTheShare = [
  "message_id",
  "parent_id",
  "accumulated_token_usage",
  "fragments",
  ...keptColumns,
] as const;

export async function beginCopy(
  q: Queryable,
  copy: { session_id: string; user_id: string; began_at: number },
): Promise<void> {
  await q.insertInto("session_copies").values(copy).execute();
}

/** Holds a copy that is being made until the transaction ends. Throws where it was given up. */
export async function holdCopy(db: Database, trx: Trx, sessionId: string): Promise<void> {
  const row = await trx
    .selectFrom("session_copies")
    .select("session_id")
    .where("session_id", "=", sessionId)
    .modifyEnd(db.forUpdate)
    .executeTakeFirst();
  if (row === undefined) throw new Error(`the copy ${sessionId} was given up while it was made`);
}

/** The copy is whole: in the transaction that makes its session. */
export async function endCopy(trx: Trx, sessionId: string): Promise<void> {
  await trx.deleteFrom("session_copies").where("session_id", "=", sessionId).execute();
}

/** Copies a message of a share to a session. `files` are ids of the new owner's. False where it is gone. */
export async function copyOutOfShare(
  trx: Trx,
  shareId: string,
  messageId: number,
  to: { sessionId: string; userId: string; files: readonly string[] },
): Promise<boolean> {
  const copied = await trx
    .insertInto("messages")
    .columns(["session_id", "user_id", "files", "last_event_id", ...asInTheShare])
    .expression((eb) =>
      eb
        .selectFrom("share_messages")
        .select([
          sql<string>`cast(${to.sessionId} as text)`.as("session_id"),
          sql<string>`cast(${to.userId} as text)`.as("user_id"),
          sql<string>`cast(${JSON.stringify(to.files)} as text)`.as("files"),
          sql<number>`0`.as("last_event_id"),
          ...asInTheShare,
        ])
        .where("share_id", "=", shareId)
        .where("message_id", "=", messageId)
        .where(isLive(shareId)),
    )
    .returning("message_id")
    .execute();
  return copied.length === 1;
}

/** Gives up a copy with all that was copied. Does nothing where it has become a session. */
export async function dropCopy(db: Database, sessionId: string): Promise<void> {
  await db.transaction(async (trx) => {
    const gone = await trx
      .deleteFrom("session_copies")
      .where("session_id", "=", sessionId)
      .returning("session_id")
      .execute();
    if (gone.length === 0) return;
    await deleteRepliesOfSessions(db, trx, [sessionId]);
    await deleteMessagesOfSessions(trx, [sessionId]);
  });
}

/** Gives up the copies that a user is making. */
export async function dropCopiesOf(db: Database, userId: string): Promise<void> {
  const copies = await db.kysely
    .selectFrom("session_copies")
    .select("session_id")
    .where("user_id", "=", userId)
    .execute();
  for (const { session_id: id } of copies) await dropCopy(db, id);
}

/** Gives up the copies that began before `before` (ms): their processes died. */
export async function purgeCopies(db: Database, clock: Clock, before: number): Promise<void> {
  await inSmallSteps(clock, COPIES_PER_STEP, async (count) => {
    const due = await db.kysely
      .selectFrom("session_copies")
      .select("session_id")
      .where("began_at", "<", before)
      .limit(count)
      .execute();
    for (const { session_id: id } of due) await dropCopy(db, id);
    return due.length === count;
  });
}
