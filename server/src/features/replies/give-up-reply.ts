// The end of a reply whose log cannot be read any more: nothing can go on from it, and nothing may stay WIP for ever.
import { ProtocolError } from "@plumb/protocol/stream/protocol-error";
import { deleteLease, type Lease, lockLease } from "../sessions/lease-store.ts";
import { type ReplyRow, updateReply } from "../sessions/reply-store.ts";
import { lockSession, touchSession } from "../sessions/session-store.ts";
import type { ReplyContext } from "./reply-context.ts";

/** True for what only a damaged log can cause; a database that is away throws other errors and is waited for. */
export function isDamage(error: unknown): boolean {
  return error instanceof ProtocolError || error instanceof SyntaxError || error instanceof TypeError;
}

/** Leaves the message as it stood before the run, INCOMPLETE, and forgets the log. The lease must be this process's. */
export async function giveUpReply(
  { db, ports, feeds }: ReplyContext,
  reply: ReplyRow,
  lease: Lease,
): Promise<void> {
  await db.transaction(async (trx) => {
    const session = await lockSession(db, trx, reply.user_id, reply.session_id);
    const held = await lockLease(db, trx, reply.id);
    if (session === undefined || held?.epoch !== lease.epoch) return;
    const now = ports.clock.now();
    await trx
      .updateTable("messages")
      .set({ status: "INCOMPLETE" })
      .where("session_id", "=", reply.session_id)
      .where("message_id", "=", reply.message_id)
      .where("status", "=", "WIP")
      .execute();
    await touchSession(trx, reply.user_id, reply.session_id, now, { version: session.version + 1 });
    await updateReply(trx, reply.id, { ended_at: now });
    await deleteLease(trx, reply.id, lease.epoch);
    await trx.deleteFrom("stream_log").where("reply", "=", reply.id).execute();
  });
  // No log will tell the readers of its end.
  await feeds.pull(reply.id);
}
