// Stop, answered within 2 s wherever the reply runs (wire-contract.md §11.7): an owner that does not react within 1 s is fenced and
// the reply is settled from the log.
import { LIMITS } from "@plumb/protocol/limits";
import type { Database } from "../../platform/database/database.ts";
import type { Clock } from "../../ports/clock.ts";
import { findLease, requestStop } from "../sessions/stream-log-store.ts";
import { findReply, type ReplyRow } from "../sessions/reply-store.ts";
import type { LiveReplies } from "./live-replies.ts";
import type { ReplyContext } from "./reply-context.ts";
import type { ReplyRun } from "./run-reply.ts";
import { isSettled } from "./settle-reply.ts";
import { takeOver } from "./take-over-replies.ts";

export const STOP_CHANNEL = "reply_stop";
const LOOK_MS = 50;

/** Resolves when the run of `reply` has an end status, with its text so far. One that continues it since is left alone. */
export async function stopReply(context: ReplyContext, reply: ReplyRow): Promise<void> {
  const { db, live, ports } = context;
  const run = runMeant(live, reply.id, reply.run_first_id);
  if (run === undefined) {
    await requestStop(db.kysely, reply.id, reply.run_first_id);
    await db.notify(db.kysely, STOP_CHANNEL, `${reply.id}:${reply.run_first_id}`);
  }
  const ended = run === undefined ? untilOver(context, reply) : run.stop().then(() => isOver(db, reply));
  if (await within(ports.clock, LIMITS.stopOwnerAnswerMs, ended)) return;
  const lease = await findLease(db.kysely, reply.id);
  // Looked at in this order the lease is that of the run which was meant, and not of one that continues it.
  if (lease === undefined || (await isOver(db, reply))) return;
  const settling = await takeOver(context, lease, { kind: "stopped" });
  // Somebody renewed or took it in this very moment: it is alive and has read the request.
  if (settling === undefined) await within(ports.clock, LIMITS.stopOwnerAnswerMs, untilOver(context, reply));
  else await settling.settled;
}

/** What a notice on STOP_CHANNEL asks for. */
export function stopNoticed(live: LiveReplies, notice: string): void {
  const [reply, runFirstId] = notice.split(":").map(Number);
  if (reply !== undefined) void runMeant(live, reply, runFirstId)?.stop();
}

/** The run that begins with this event, where it is in this process. */
function runMeant(live: LiveReplies, reply: number, runFirstId: number | undefined): ReplyRun | undefined {
  const run = live.get(reply);
  return run?.reply.run_first_id === runFirstId ? run : undefined;
}

/** True once the run of `reply` has its end, also when it was continued since. */
async function isOver(db: Database, reply: ReplyRow): Promise<boolean> {
  if (await isSettled(db, reply)) return true;
  const now = await findReply(db.kysely, reply.id);
  return now?.run_first_id !== reply.run_first_id;
}

async function untilOver({ db, ports }: ReplyContext, reply: ReplyRow): Promise<boolean> {
  for (let waited = 0; waited < LIMITS.stopOwnerAnswerMs; waited += LOOK_MS) {
    if (await isOver(db, reply)) return true;
    await new Promise<void>((resolve) => ports.clock.after(LOOK_MS, resolve));
  }
  return false;
}

/** The promise's value, or false after `ms`. */
async function within(clock: Clock, ms: number, promise: Promise<boolean>): Promise<boolean> {
  let cancel = (): void => {};
  const late = new Promise<boolean>((resolve) => {
    cancel = clock.after(ms, () => resolve(false));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    cancel();
  }
}
