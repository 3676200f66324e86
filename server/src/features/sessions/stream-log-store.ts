// The stream log: events of replies, stored before they are shown.
import type { NumberedEvent, StreamEvent } from "@plumb/protocol/stream/stream-event";
import type { Queryable } from "../../platform/database/database.ts";

/** Events of one row, numbered from its `first_id`. `at` is the wall clock of the commit in ms. */
export interface LoggedGroup {
  firstId: number;
  epoch: number;
  at: number;
  events: StreamEvent[];
}

/** Groups that hold any event with an id of at least `fromId`, in order, `limit` at most. The first may begin before it. */
export async function readLog(
  q: Queryable,
  reply: number,
  fromId: number,
  limit?: number,
): Promise<LoggedGroup[]> {
  const start = q
    .selectFrom("stream_log as earlier")
    .select(({ fn, lit }) => fn.coalesce(fn.max("earlier.first_id"), lit(0)).as("first_id"))
    .where("earlier.reply", "=", reply)
    .where("earlier.first_id", "<=", fromId);
  let query = q
    .selectFrom("stream_log")
    .select(["first_id", "epoch", "at", "events"])
    .where("reply", "=", reply)
    .where("first_id", ">=", start)
    .orderBy("first_id");
  if (limit !== undefined) query = query.limit(limit);
  const rows = await query.execute();
  return rows.map((row) => ({
    firstId: row.first_id,
    epoch: row.epoch,
    at: row.at,
    events: JSON.parse(row.events) as StreamEvent[],
  }));
}

/** The events of `groups` whose id is greater than `afterId`, numbered. */
export function eventsAfter(groups: readonly LoggedGroup[], afterId: number): NumberedEvent[] {
  return groups.flatMap((group) =>
    group.events
      .map((event, index): NumberedEvent => ({ ...event, id: group.firstId + index }))
      .filter((event) => event.id > afterId),
  );
}

/** Which of these rows are stored: resolves a commit whose outcome was lost with the connection. */
export async function findLogRows(
  q: Queryable,
  rows: readonly { reply: number; epoch: number; first_id: number }[],
): Promise<Set<number>> {
  if (rows.length === 0) return new Set();
  const found = await q
    .selectFrom("stream_log")
    .select("reply")
    .where((where) =>
      where.or(
        rows.map((row) =>
          where.and([
            where("reply", "=", row.reply),
            where("epoch", "=", row.epoch),
            where("first_id", "=", row.first_id),
          ]),
        ),
      ),
    )
    .execute();
  return new Set(found.map((row) => row.reply));
}

/** Appends one group inside the transaction that holds the reply's lease. */
export async function insertLogRow(
  q: Queryable,
  row: { reply: number; epoch: number; firstId: number; at: number; events: StreamEvent[] },
): Promise<void> {
  await q
    .insertInto("stream_log")
    .values({
      reply: row.reply,
      epoch: row.epoch,
      first_id: row.firstId,
      at: row.at,
      events: JSON.stringify(row.events),
    })
    .execute();
}
