// A reply as it stands: the stored message of before its run, and the log folded over it.
import { reduceReply, storedReply } from "@plumb/protocol/stream/reply-reducer";
import type { ReplyState } from "@plumb/protocol/stream/reply-state";
import type { Queryable } from "../../platform/database/database.ts";
import { presentMessage, type MessageRow } from "./message-store.ts";
import type { ReplyRow } from "./reply-store.ts";
import { eventsAfter, type LoggedGroup, readLog } from "./stream-log-store.ts";

export interface FoldedReply {
  state: ReplyState;
  groups: LoggedGroup[];
}

/** Folds the current run of a reply. `row` must be the message as stored before the run ended. */
export async function foldReply(q: Queryable, reply: ReplyRow, row: MessageRow): Promise<FoldedReply> {
  const groups = await readLog(q, reply.id, reply.run_first_id);
  const before = storedReply(presentMessage(row), reply.run_first_id - 1);
  return { state: eventsAfter(groups, before.lastEventId).reduce(reduceReply, before), groups };
}

/** Rows of the log read at a time. */
const ROWS_PER_READ = 200;

/** The reply as it stands, folded page by page, so that no task grows with what it has said. */
export async function foldReplyPaced(q: Queryable, reply: ReplyRow, row: MessageRow): Promise<ReplyState> {
  let state = storedReply(presentMessage(row), reply.run_first_id - 1);
  for (;;) {
    const groups = await readLog(q, reply.id, state.lastEventId + 1, ROWS_PER_READ);
    const events = eventsAfter(groups, state.lastEventId);
    if (events.length === 0) return state;
    state = events.reduce(reduceReply, state);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
