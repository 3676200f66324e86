// A reply whose process died or handed it over is claimed and finished here.
import { isFragment } from "@plumb/protocol/conversation/fragment";
import { LIMITS } from "@plumb/protocol/limits";
import type { ReplyState } from "@plumb/protocol/stream/reply-reducer";
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import { foldReply } from "../sessions/fold-reply.ts";
import { claimLease, deleteLease, type Lease } from "../sessions/lease-store.ts";
import { listMessageHeads, findMessage } from "../sessions/message-store.ts";
import { findReply } from "../sessions/reply-store.ts";
import type { LoggedGroup } from "../sessions/stream-log-store.ts";
import { branchTo } from "./branch-to.ts";
import { giveUpReply, isDamage } from "./give-up-reply.ts";
import type { ReplyContext } from "./reply-context.ts";
import { isSnapshotEvent, type Outcome } from "./reply-events.ts";
import { ReplyRun } from "./run-reply.ts";

/** Claims the lease as it was seen and goes on with the reply. Undefined when another process was quicker. */
export async function takeOver(
  context: ReplyContext,
  seen: Lease,
  forced?: Outcome,
): Promise<ReplyRun | undefined> {
  const { db, log, feeds, live, owner } = context;
  const lease = await claimLease(db, db.kysely, seen, owner);
  if (lease === undefined) return undefined;
  const reply = await findReply(db.kysely, lease.reply);
  const row = reply && (await findMessage(db.kysely, reply.session_id, reply.message_id));
  const session = reply && (await findSessionTitleType(context, reply.session_id));
  if (reply === undefined || row === undefined || session === undefined) {
    await deleteLease(db.kysely, lease.reply, lease.epoch);
    return undefined;
  }
  // A run of ours that did not react to a stop: it has lost its lease.
  live.get(reply.id)?.fence();
  const folded = await foldReply(db.kysely, reply, row).catch((error: unknown) => {
    if (!isDamage(error)) throw error;
    log.error({ err: error, reply: reply.id }, "the log of a reply cannot be read; the reply is given up");
    return null;
  });
  if (folded === null) {
    await giveUpReply(context, reply, lease);
    return undefined;
  }
  const { state, groups } = folded;
  const heads = await listMessageHeads(db.kysely, reply.session_id);
  // From here to `live.add` in one step: the run before, leaving meanwhile, must not take the feed with it.
  const feed = feeds.openLocal(reply.id, state, reply.run_first_id);
  for (const group of groups) feed.publish(group.firstId, group.events);
  const tail = state.message !== null && state.message.status !== "WIP";
  const decided = tail ? outcomeOfTail(state) : (forced ?? decide(context, lease, groups));
  log.info(
    { reply: reply.id, epoch: lease.epoch, attempts: lease.attempts, decided: decided?.kind, tail },
    "took a reply over",
  );
  const run = new ReplyRun(context, {
    reply: { ...reply, produced_ms: producedMs(groups) },
    epoch: lease.epoch,
    feed,
    branch: branchTo(heads, reply.request_message_id),
    snapshotLogged: groups.some((group) => group.events.some(isSnapshotEvent)),
    thoughtMs: thoughtMs(state, groups),
    wantsTitle: !tail && session.title_type === "WIP",
    tail,
    ...(decided === undefined ? {} : { decided }),
  });
  live.add(run);
  return run;
}

async function findSessionTitleType({ db }: ReplyContext, id: string) {
  return db.kysely.selectFrom("sessions").select("title_type").where("id", "=", id).executeTakeFirst();
}

/** An end without asking the model, or undefined to go on. A stop that came meanwhile wins. */
function decide(
  { config, ports }: ReplyContext,
  lease: Lease,
  groups: readonly LoggedGroup[],
): Outcome | undefined {
  if (lease.stop_requested === 1) return { kind: "stopped" };
  const lastAt = groups.at(-1)?.at ?? 0;
  const tooLate = ports.clock.now() - lastAt > LIMITS.replyRetentionMs;
  const spent = lease.attempts > config.takeoverAttempts;
  // With no take-over at all a planned hand-over is not gone on with either.
  if (tooLate || spent || config.takeoverAttempts === 0) return { kind: "failed", reason: "generation_err" };
  return undefined;
}

/** The producer died between the end status and `close`: what the end was is told by what it left. */
function outcomeOfTail(state: ReplyState): Outcome {
  switch (state.message?.status) {
    case "FINISHED":
      return { kind: "finished" };
    case "TIMEOUT":
      return { kind: "timeout" };
    case "CONTENT_FILTER":
      return { kind: "filtered" };
    case "CONTEXT_LENGTH_EXCEEDED":
      return { kind: "context_length" };
    default:
      return state.hint?.click_behavior === "retry"
        ? { kind: "failed", reason: "generation_err" }
        : { kind: "stopped" };
  }
}

/** Producing time of the processes before this one, ms, as the log shows it: the pauses between them do not count. */
function producedMs(groups: readonly Pick<LoggedGroup, "epoch" | "at">[]): number {
  const begins = new Map<number, number>();
  const spans = new Map<number, number>();
  for (const { epoch, at } of groups) {
    const begin = begins.get(epoch) ?? at;
    begins.set(epoch, begin);
    spans.set(epoch, Math.max(0, at - begin));
  }
  return [...spans.values()].reduce((sum, span) => sum + span, 0);
}

/** Producing time already spent on a thought that still grows, ms. */
function thoughtMs(state: ReplyState, groups: readonly LoggedGroup[]): number {
  const last = state.message?.fragments.at(-1);
  if (!isFragment(last, "THINK")) return 0;
  if (last.elapsed_secs !== null) return last.elapsed_secs * 1000;
  const begin = groups.find((group) => group.events.some((event) => mentionsFragment(event, last.id)));
  return begin === undefined ? 0 : Math.max(0, (groups.at(-1)?.at ?? begin.at) - begin.at);
}

function mentionsFragment(event: StreamEvent, id: number): boolean {
  if (event.type !== "delta") return false;
  const { p, v } = event.data;
  const fragments =
    p === ""
      ? (v as { response?: { fragments?: unknown } }).response?.fragments
      : p === "response/fragments"
        ? v
        : null;
  return Array.isArray(fragments) && fragments.some((fragment: { id?: unknown }) => fragment.id === id);
}
