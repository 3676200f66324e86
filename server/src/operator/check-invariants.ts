// Reads everything stored and says what an invariant forbids: after a crash, a restore or a migration, and in every
// fault test. Sessions are read one by one, each in one transaction, so that a running server may go on writing.
import type { Database, Queryable } from "../platform/database/database.ts";
import { listMessageHeads, loadMessages } from "../features/sessions/message-store.ts";
import { checkReply } from "./check-log.ts";
import { checkSession } from "./check-tree.ts";
import type { Violation } from "./violation.ts";

/** A reply whose lease has been silent for so long has no living producer (wire-contract.md §4.8). */
const SILENT_MS = 10_000;
const SESSIONS_PER_READ = 100;

export interface CheckOptions {
  /** True when a server is known to run: then every running reply must have a living producer. */
  serverRuns?: boolean;
  /** Only these sessions. */
  sessions?: readonly string[];
}

export interface CheckReport {
  sessions: number;
  replies: number;
  violations: Violation[];
}

/** Checks what is stored. Changes nothing. */
export async function checkInvariants(db: Database, options: CheckOptions = {}): Promise<CheckReport> {
  const report: CheckReport = { sessions: 0, replies: 0, violations: await checkStrays(db.kysely) };
  for (let after = ""; ;) {
    const ids = await sessionIds(db, after, options.sessions);
    for (const id of ids) await checkOne(db, id, report);
    const last = ids.at(-1);
    if (last === undefined) break;
    after = last;
  }
  if (options.serverRuns === true) report.violations.push(...(await checkProducers(db)));
  return report;
}

async function sessionIds(db: Database, after: string, among?: readonly string[]): Promise<string[]> {
  let query = db.kysely.selectFrom("sessions").select("id").where("id", ">", after);
  if (among !== undefined) query = query.where("id", "in", [...among, ""]);
  const rows = await query.orderBy("id").limit(SESSIONS_PER_READ).execute();
  return rows.map((row) => row.id);
}

/** The session is locked for the time of the look: settlement, deletion and new turns lock it too. */
async function checkOne(db: Database, id: string, report: CheckReport): Promise<void> {
  await db.transaction(async (trx) => {
    const session = await trx
      .selectFrom("sessions")
      .selectAll()
      .where("id", "=", id)
      .modifyEnd(db.forUpdate)
      .executeTakeFirst();
    if (session === undefined) return;
    const messages = await listMessageHeads(trx, id);
    const replies = await trx.selectFrom("replies").selectAll().where("session_id", "=", id).execute();
    report.sessions += 1;
    report.violations.push(...checkSession({ session, messages, replies }));
    for (const reply of replies) {
      const lease = await trx
        .selectFrom("reply_lease")
        .selectAll()
        .where("reply", "=", reply.id)
        .executeTakeFirst();
      const rows = await trx
        .selectFrom("stream_log")
        .select(["epoch", "first_id", "events"])
        .where("reply", "=", reply.id)
        .orderBy("first_id")
        .orderBy("id")
        .execute();
      const [message] = await loadMessages(trx, id, [reply.message_id]);
      const [request] = await loadMessages(trx, id, [reply.request_message_id]);
      report.replies += 1;
      report.violations.push(...checkReply({ reply, message, request, lease, rows }));
    }
  });
}

/** I8: nothing that belongs to what no longer exists. */
async function checkStrays(q: Queryable): Promise<Violation[]> {
  const messages = await q
    .selectFrom("messages")
    .leftJoin("sessions", "sessions.id", "messages.session_id")
    .select("messages.session_id as id")
    .distinct()
    .where("sessions.id", "is", null)
    .execute();
  const rows = await q
    .selectFrom("stream_log")
    .leftJoin("replies", "replies.id", "stream_log.reply")
    .select("stream_log.reply as id")
    .distinct()
    .where("replies.id", "is", null)
    .execute();
  const leases = await q
    .selectFrom("reply_lease")
    .leftJoin("replies", "replies.id", "reply_lease.reply")
    .select("reply_lease.reply as id")
    .where("replies.id", "is", null)
    .execute();
  return [
    ...messages.map(({ id }) => ({
      invariant: "I8",
      where: `session ${id}`,
      what: "it is gone and has messages",
    })),
    ...rows.map(({ id }) => ({ invariant: "I8", where: `reply ${id}`, what: "it is gone and has a log" })),
    ...leases.map(({ id }) => ({
      invariant: "I8",
      where: `reply ${id}`,
      what: "it is gone and has a lease",
    })),
  ];
}

/** I5: no running reply without somebody who was heard in the last 10 s. Handed-over leases count as silent too. */
async function checkProducers(db: Database): Promise<Violation[]> {
  const silent = await db.kysely
    .selectFrom("reply_lease")
    .select(["reply", "owner"])
    .select(({ eb }) => eb(db.nowMs, "-", eb.ref("renewed_at")).as("silent"))
    .where("renewed_at", ">", 0)
    .execute();
  return silent
    .filter((lease) => Number(lease.silent) > SILENT_MS)
    .map((lease) => ({
      invariant: "I5",
      where: `reply ${lease.reply}`,
      what: `its owner ${lease.owner} has been silent for ${String(lease.silent)} ms`,
    }));
}
