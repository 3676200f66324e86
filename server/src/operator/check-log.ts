// What must hold of one reply and its stored stream log: I1 to I5, as far as stored data shows them.
import { isDeepStrictEqual } from "node:util";
import { ProtocolError } from "@plumb/protocol/stream/protocol-error";
import { reduceReply, startResponse } from "@plumb/protocol/stream/reply-reducer";
import { type ReplyState, emptyReply } from "@plumb/protocol/stream/reply-state";
import type { NumberedEvent, StreamEvent } from "@plumb/protocol/stream/stream-event";
import type { Lease } from "../features/sessions/stream-log-store.ts";
import { type MessageRow, presentMessage } from "../features/sessions/message-store.ts";
import type { ReplyRow } from "../features/sessions/reply-store.ts";
import type { Violation } from "./violation.ts";

/** One stored row of the log. */
export interface LoggedRow {
  epoch: number;
  first_id: number;
  events: string;
}

export interface StoredReply {
  reply: ReplyRow;
  /** The reply's message and the one it answers; undefined when there is none. */
  message: MessageRow | undefined;
  request: MessageRow | undefined;
  lease: Lease | undefined;
  /** By first_id. */
  rows: readonly LoggedRow[];
}

/** Violations of one reply. */
export function checkReply(stored: StoredReply): Violation[] {
  const found: Violation[] = [];
  const where = `reply ${stored.reply.id} of session ${stored.reply.session_id}`;
  const report = (invariant: string, what: string): void => void found.push({ invariant, where, what });

  if (stored.request?.role !== "USER" || stored.request.status !== "FINISHED") {
    report("I1", "its user message is missing");
  }
  if (stored.message?.role !== "ASSISTANT") {
    report("I1", "its message is missing");
    return found;
  }
  checkOrder(stored, report);
  const events = numbered(stored.rows);
  checkEnds(stored, events, report);
  checkFold(stored, events, report);
  return found;
}

type Report = (invariant: string, what: string) => void;

function numbered(rows: readonly LoggedRow[]): NumberedEvent[] {
  return rows.flatMap((row) =>
    (JSON.parse(row.events) as StreamEvent[]).map((event, index): NumberedEvent => ({
      ...event,
      id: row.first_id + index,
    })),
  );
}

/** I3: ids without gap or double over all epochs, and no epoch after a later one. */
function checkOrder({ rows }: StoredReply, report: Report): void {
  let next: number | null = null;
  let epoch = 0;
  for (const row of rows) {
    const { length } = JSON.parse(row.events) as unknown[];
    if (next !== null && row.first_id !== next) {
      report("I3", `event ${row.first_id} of epoch ${row.epoch} stands where ${next} belongs`);
    }
    if (row.epoch < epoch)
      report("I3", `epoch ${row.epoch} wrote event ${row.first_id} after epoch ${epoch}`);
    if (length === 0) report("I3", `the row at event ${row.first_id} is empty`);
    next = row.first_id + length;
    epoch = row.epoch;
  }
}

/** I5: each run begins with `ready` and ends with its one `close`; only a run that has not ended has none. */
function checkEnds(
  { reply, message, lease, rows }: StoredReply,
  events: readonly NumberedEvent[],
  report: Report,
): void {
  const running = reply.ended_at === null;
  if (running && lease === undefined) report("I5", "it runs and nobody holds or could claim its lease");
  if (!running && lease !== undefined) report("I5", "it has closed and its lease is still there");
  if (!running && message?.status === "WIP") report("I5", "it has closed and its message is WIP");
  if (rows.length === 0) {
    if (running) report("I2", "it runs and its log is gone");
    return;
  }
  const readies = events.filter((event) => event.type === "ready").map((event) => event.id);
  const closes = events.filter((event) => event.type === "close").map((event) => event.id);
  if (readies[0] !== events[0]?.id) report("I3", "its log does not begin with ready");
  if (readies.at(-1) !== reply.run_first_id) report("I3", "its last ready is not where its run begins");
  const due = running ? readies.length - 1 : readies.length;
  if (closes.length !== due) report("I5", `it has ${closes.length} close events in ${due} ended runs`);
  const ends = [...readies.slice(1).map((id) => id - 1), ...(running ? [] : [events.at(-1)?.id])];
  closes.forEach((id, index) => {
    if (id !== ends[index]) report("I5", `event ${id} is a close and not the last of its run`);
  });
}

/** I2 and I4: the stored message is the fold of the log, and folding the log's end again changes nothing. */
function checkFold(
  { reply, message: row }: StoredReply,
  events: readonly NumberedEvent[],
  report: Report,
): void {
  const run = events.filter((event) => event.id >= reply.run_first_id);
  if (row === undefined || run.length === 0) return;
  let state: ReplyState;
  try {
    state = run.reduce(reduceReply, emptyReply());
    const again = run.reduce(reduceReply, startResponse(state));
    if (!isDeepStrictEqual(again.message, state.message) || again.lastEventId !== state.lastEventId) {
      report("I4", "folding its log twice gives another message");
    }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    report("I2", `its log cannot be folded: ${error.message}`);
    return;
  }
  if (row.status === "WIP") {
    if (state.message !== null && state.message.status !== "WIP") {
      report("I2", `its log ends as ${state.message.status} and its message is WIP`);
    }
    return;
  }
  const stored = presentMessage(row);
  const folded = state.message;
  if (folded?.status !== stored.status)
    report("I2", `it is ${stored.status} and its log says ${folded?.status}`);
  if (!isDeepStrictEqual(folded?.fragments, stored.fragments)) report("I2", "its text is not its log's");
  if (folded?.accumulated_token_usage !== stored.accumulated_token_usage) {
    report("I2", "its token usage is not its log's");
  }
  if (reply.ended_at !== null && row.last_event_id !== state.lastEventId) {
    report("I3", `its last event is ${state.lastEventId}, and ${row.last_event_id} is kept with it`);
  }
}
