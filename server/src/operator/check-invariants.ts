// Checks everything stored against the invariants: after a crash, a restore or a migration, and in every fault test.
// Sessions are read one by one, each in one transaction, so that a running server can go on writing.
import type { Database, Queryable } from "../platform/database/database.ts";
import { checkReply } from "./check-log.ts";
import { checkSession } from "./check-tree.ts";
import {
  findStrays,
  listLeaseSilences,
  loadStoredReply,
  lockStoredSession,
  pageOfSessionIds,
} from "./stored-sessions-store.ts";
import { findMiscounted } from "./stored-bytes-store.ts";
import type { Violation } from "./violation.ts";

/** A reply whose lease has been silent for so long has no living producer (wire-contract.md §4.8). */
const SILENT_MS = 10_000;

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
    const ids = await pageOfSessionIds(db.kysely, after, options.sessions);
    for (const id of ids) await checkOne(db, id, report);
    const last = ids.at(-1);
    if (last === undefined) break;
    after = last;
  }
  if (options.sessions === undefined) report.violations.push(...(await checkStoredBytes(db)));
  if (options.serverRuns === true) report.violations.push(...(await checkProducers(db)));
  return report;
}

async function checkOne(db: Database, id: string, report: CheckReport): Promise<void> {
  await db.transaction(async (trx) => {
    const stored = await lockStoredSession(db, trx, id);
    if (stored === undefined) return;
    report.sessions += 1;
    report.violations.push(...checkSession(stored));
    for (const reply of stored.replies) {
      report.replies += 1;
      report.violations.push(...checkReply(await loadStoredReply(trx, id, reply)));
    }
  });
}

/** I8: no messages, log rows, leases or shared words of something that no longer exists. */
async function checkStrays(q: Queryable): Promise<Violation[]> {
  const { messages, logs, leases, shares } = await findStrays(q);
  const stray = (where: string, what: string): Violation => ({ invariant: "I8", where, what });
  return [
    ...messages.map((id) => stray(`session ${id}`, "it is gone and has messages")),
    ...logs.map((id) => stray(`reply ${id}`, "it is gone and has a log")),
    ...shares.map((id) => stray(`share ${id}`, "it has ended and has messages")),
    ...leases.map((id) => stray(`reply ${id}`, "it is gone and has a lease")),
  ];
}

/** I9: what is counted of an account's storage is what is stored. `quota recount` mends it. */
async function checkStoredBytes(db: Database): Promise<Violation[]> {
  const miscounted = await findMiscounted(db);
  return miscounted.map(({ userId, bytes }) => ({
    invariant: "I9",
    where: `account ${userId}`,
    what: `the count of its stored bytes is wrong by ${bytes}`,
  }));
}

/** I5: no running reply whose owner has been silent for more than 10 s. */
async function checkProducers(db: Database): Promise<Violation[]> {
  const leases = await listLeaseSilences(db);
  return leases
    .filter(({ silentMs }) => silentMs > SILENT_MS)
    .map(({ reply, owner, silentMs }) => ({
      invariant: "I5",
      where: `reply ${reply}`,
      what: `its owner ${owner} has been silent for ${silentMs} ms`,
    }));
}
