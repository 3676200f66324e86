// A reply whose process died or handed it over is claimed and finished here.
import { LIMITS } from "@plumb/protocol/limits";
import { storedReply } from "@plumb/protocol/stream/reply-reducer";
import { findMessage, listMessageHeads, presentMessage, type MessageRow } from "../sessions/message-store.ts";
import { findReply, type ReplyRow } from "../sessions/reply-store.ts";
import { findTitleType } from "../sessions/session-store.ts";
import {
  claimLease,
  deleteLease,
  type Lease,
  type LoggedGroup,
  readLog,
} from "../sessions/stream-log-store.ts";
import { branchTo } from "./branch-to.ts";
import { giveUpReply } from "./give-up-reply.ts";
import { endingContext, openRun } from "./open-run.ts";
import type { ReplyContext } from "./reply-context.ts";
import type { FinishReason } from "./reply-events.ts";
import type { ReplyRun } from "./run-reply.ts";
import { isPassing } from "./settle-reply.ts";

/**
 * Claims the lease as it was seen and goes on with the reply; `forced` ends it instead. Undefined when another process was
 * quicker, or the reply cannot be gone on with: then it has its end.
 */
export async function takeOver(
  context: ReplyContext,
  seen: Lease,
  forced?: FinishReason,
): Promise<ReplyRun | undefined> {
  const { db, live, owner } = context;
  const lease = await claimLease(db, seen, owner, live.notBegun.has(seen.reply));
  live.notBegun.delete(seen.reply);
  if (lease === undefined) return undefined;
  try {
    return await begin(context, lease, forced);
  } catch (error) {
    // The database went away: no fault of the reply, and it costs it none of its tries. Whatever else went wrong counts.
    if (isPassing(error)) live.notBegun.add(lease.reply);
    throw error;
  }
}

/** What is claimed goes on, or has its end. Throws what passes, and what finding the reply throws. */
async function begin(
  context: ReplyContext,
  lease: Lease,
  forced: FinishReason | undefined,
): Promise<ReplyRun | undefined> {
  const { db, log, live } = context;
  const reply = await findReply(db.kysely, lease.reply);
  const row = reply && (await findMessage(db.kysely, reply.session_id, reply.message_id));
  if (reply === undefined || row === undefined) {
    await deleteLease(db.kysely, lease.reply, lease.epoch);
    return undefined;
  }
  // A run of ours that did not react to a stop: it has lost its lease.
  live.get(reply.id)?.fence();
  try {
    return await goOn(context, { lease, reply, row, forced });
  } catch (error) {
    if (isPassing(error)) throw error;
    log.error({ err: error, reply: reply.id }, "a reply cannot be gone on with; it is given up");
    context.feeds.makeRemote(reply.id);
    await giveUpReply(endingContext(context), reply, lease.epoch);
    return undefined;
  }
}

interface Claimed {
  lease: Lease;
  reply: ReplyRow;
  row: MessageRow;
  forced: FinishReason | undefined;
}

async function goOn(context: ReplyContext, { lease, reply, row, forced }: Claimed): Promise<ReplyRun> {
  const { db, log } = context;
  const groups = await readLog(db.kysely, reply.id, reply.run_first_id);
  const heads = await listMessageHeads(db.kysely, reply.session_id);
  const titleType = await findTitleType(db.kysely, reply.session_id);
  const decided = forced ?? decide(context, lease, groups);
  const { run } = openRun(context, {
    reply,
    epoch: lease.epoch,
    before: storedReply(presentMessage(row), reply.run_first_id - 1),
    groups,
    branch: branchTo(heads, reply.request_message_id),
    wantsTitle: titleType === "WIP",
    decided,
  });
  log.info(
    { reply: reply.id, epoch: lease.epoch, attempts: lease.attempts, decided: decided?.kind },
    "took a reply over",
  );
  return run;
}

/** An end without asking the model, or undefined to go on. A stop that came meanwhile wins. */
function decide(
  { config, ports }: ReplyContext,
  lease: Lease,
  groups: readonly LoggedGroup[],
): FinishReason | undefined {
  if (lease.stop_requested === 1) return { kind: "stopped" };
  const lastAt = groups.at(-1)?.at ?? 0;
  const tooLate = ports.clock.now() - lastAt > LIMITS.replyRetentionMs;
  const spent = lease.attempts > config.takeoverAttempts;
  // With no take-over at all a planned hand-over is not gone on with either.
  if (tooLate || spent || config.takeoverAttempts === 0) return { kind: "failed", reason: "generation_err" };
  return undefined;
}
