/**
 * Jobs: work that outlives the process that began it. A row says what is to be done (`kind`) with what (`subject`), and its
 * lease (`database/lease-table.ts`) who does it. A subject has one job at a time, whose kind may change: what is being made
 * is then no longer made but removed, say, by whoever comes next. What a job does to the database it does in the transaction
 * that ends it, holding the lease: so that it is done once, whoever else still believes to do it.
 *
 * The rows that a job is about are locked before the job: whoever takes them away holds them, and then changes the job.
 * PostgreSQL deadlocks where one writer differs, unless all of them hold the user first.
 */
import { type Selectable, sql } from "kysely";
import type { Database, Queryable, Trx } from "../database/database.ts";
import { Fenced, LeaseTable, NOBODY } from "../database/lease-table.ts";
import type { JobsTable } from "../database/schema.ts";
import { turnOrder, usedLittle } from "./turn-store.ts";

export type JobRow = Selectable<JobsTable>;

export const jobLeases = new LeaseTable<JobRow>("jobs", "subject");

/** Rows of one statement. */
const SUBJECTS_PER_STATEMENT = 200;

/** A new job. With an owner it is that process's from the beginning. */
export async function insertJob(
  db: Database,
  trx: Trx,
  { owner = NOBODY, ...job }: Pick<JobRow, "subject" | "kind" | "user_id"> & { owner?: string },
): Promise<JobRow> {
  return trx
    .insertInto("jobs")
    .values({ ...job, owner, epoch: 1, attempts: 0, renewed_at: db.nowMs, due_at: db.nowMs })
    .returningAll()
    .executeTakeFirstOrThrow();
}

interface Wanted {
  kind: string;
  owner: string;
  timeoutMs: number;
  limit: number;
}

/** Jobs of a kind that this process may claim, those first that are due for longest. */
export async function claimableJobs(
  db: Database,
  { kind, owner, timeoutMs, limit }: Wanted,
): Promise<JobRow[]> {
  return jobLeases.lapsed(db, {
    exceptOwner: owner,
    timeoutMs,
    limit,
    among: sql`kind = ${kind} and due_at <= ${db.nowMs}`,
    first: sql.ref("due_at"),
  });
}

/**
 * The jobs of a kind that this process may claim, in the order in which accounts take turns (turn-store.ts); none of
 * `exceptUsers`. With `forShortPlace` only what may begin in one: jobs that were not broken off, of accounts that used little
 * lately. Looks at every due job of the kind: there must be a bound on them.
 */
export async function claimableJobsInTurn(
  db: Database,
  {
    kind,
    owner,
    timeoutMs,
    limit,
    exceptUsers,
    forShortPlace,
  }: Wanted & { exceptUsers: readonly string[]; forShortPlace: boolean },
): Promise<JobRow[]> {
  const others = exceptUsers.length === 0 ? sql`1 = 1` : sql`user_id not in (${sql.join([...exceptUsers])})`;
  const short = forShortPlace ? sql`is_long = 0 and ${usedLittle(db)}` : sql`1 = 1`;
  return jobLeases.lapsed(db, {
    exceptOwner: owner,
    timeoutMs,
    limit,
    among: sql`kind = ${kind} and due_at <= ${db.nowMs} and ${others} and ${short}`,
    first: turnOrder(db),
  });
}

/** Locks a held job until the transaction ends. Throws Fenced when another process has it, or it is of another kind now. */
export async function holdJob(db: Database, trx: Trx, held: JobRow): Promise<void> {
  const now = await jobLeases.hold(db, trx, held);
  if (now.kind !== held.kind) throw new Fenced(`the job of ${held.subject} is another one now`);
}

/** Ends a job. Throws Fenced. */
export async function finishJob(db: Database, trx: Trx, held: JobRow): Promise<void> {
  await holdJob(db, trx, held);
  await trx.deleteFrom("jobs").where("subject", "=", held.subject).execute();
}

/** Leaves the subject to a job of another kind, for whoever looks next. Throws Fenced. */
export async function passJobOn(
  db: Database,
  trx: Trx,
  held: JobRow,
  { kind, weight }: Pick<JobRow, "kind" | "weight">,
): Promise<void> {
  await holdJob(db, trx, held);
  await trx
    .updateTable("jobs")
    .set({ kind, weight, is_long: 0, owner: NOBODY, attempts: 0, renewed_at: 0, due_at: db.nowMs })
    .where("subject", "=", held.subject)
    .execute();
}

/**
 * Leaves the job to whoever looks in `delayMs`; `counts` = the run broke, `isLong` = it was broken off in a short place. Does
 * nothing where it is not held any more.
 */
export async function putOffJob(
  db: Database,
  held: JobRow,
  { delayMs, counts, isLong = false }: { delayMs: number; counts: boolean; isLong?: boolean },
): Promise<void> {
  await db.kysely
    .updateTable("jobs")
    .set((row) => ({
      owner: NOBODY,
      renewed_at: 0,
      due_at: sql<number>`${db.nowMs} + ${delayMs}`,
      attempts: row("attempts", "+", counts ? 1 : 0),
      is_long: isLong ? 1 : row.ref("is_long"),
    }))
    .where("subject", "=", held.subject)
    .where("owner", "=", held.owner)
    .where("epoch", "=", held.epoch)
    .execute();
}

/**
 * Makes `kind` what is to be done with the subjects, whatever was. A process that is at work on one keeps its lease until it
 * learns of it: the new job begins after that.
 */
export async function changeJobs(
  db: Database,
  trx: Trx,
  { subjects, kind, userId }: { subjects: readonly string[]; kind: string; userId: string },
): Promise<void> {
  const sorted = [...subjects].sort();
  for (let from = 0; from < sorted.length; from += SUBJECTS_PER_STATEMENT) {
    const values = sorted.slice(from, from + SUBJECTS_PER_STATEMENT).map((subject) => ({
      subject,
      kind,
      user_id: userId,
      owner: NOBODY,
      epoch: 1,
      attempts: 0,
      renewed_at: 0,
      due_at: db.nowMs,
      weight: 0,
      is_long: 0,
    }));
    await trx
      .insertInto("jobs")
      .values(values)
      .onConflict((conflict) =>
        conflict
          .column("subject")
          .doUpdateSet({ kind, attempts: 0, due_at: db.nowMs, weight: 0, is_long: 0 }),
      )
      .execute();
  }
}

/** The subjects of a user's jobs of a kind. */
export async function subjectsOf(q: Queryable, kind: string, userId: string): Promise<string[]> {
  const rows = await q
    .selectFrom("jobs")
    .select("subject")
    .where("kind", "=", kind)
    .where("user_id", "=", userId)
    .execute();
  return rows.map((row) => row.subject);
}

/** Whether there is a job of this subject. */
export async function hasJob(q: Queryable, subject: string): Promise<boolean> {
  const row = await q.selectFrom("jobs").select("subject").where("subject", "=", subject).executeTakeFirst();
  return row !== undefined;
}

/** Whether a job of the kind waits for a process. */
export async function hasWaitingJob(q: Queryable, kind: string): Promise<boolean> {
  const row = await q
    .selectFrom("jobs")
    .select("subject")
    .where("kind", "=", kind)
    .where("owner", "=", NOBODY)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** How many jobs of a kind there are; of one user where one is named. */
export async function countJobs(q: Queryable, kind: string, userId?: string): Promise<number> {
  let query = q
    .selectFrom("jobs")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("kind", "=", kind);
  if (userId !== undefined) query = query.where("user_id", "=", userId);
  return Number((await query.executeTakeFirstOrThrow()).count);
}

/** The epochs of those of the subjects whose job a living process holds. */
export async function heldEpochs(
  db: Database,
  subjects: readonly string[],
  timeoutMs: number,
): Promise<Map<string, number>> {
  const held = new Map<string, number>();
  for (let from = 0; from < subjects.length; from += SUBJECTS_PER_STATEMENT) {
    const rows = await db.kysely
      .selectFrom("jobs")
      .select(["subject", "epoch"])
      .where("subject", "in", subjects.slice(from, from + SUBJECTS_PER_STATEMENT))
      .where("owner", "<>", NOBODY)
      .where("renewed_at", ">=", sql<number>`${db.nowMs} - ${timeoutMs}`)
      .execute();
    for (const { subject, epoch } of rows) held.set(subject, epoch);
  }
  return held;
}

/** Counts the deaths of all other owners of these kinds and frees their jobs: on SQLite the process lock proves them dead. */
export async function freeJobsOfTheDead(
  db: Database,
  { owner, kinds }: { owner: string; kinds: readonly string[] },
): Promise<void> {
  await db.kysely
    .updateTable("jobs")
    .set((row) => ({ owner: NOBODY, renewed_at: 0, attempts: row("attempts", "+", 1) }))
    .where("owner", "not in", [owner, NOBODY])
    .where("kind", "in", [...kinds])
    .execute();
}
