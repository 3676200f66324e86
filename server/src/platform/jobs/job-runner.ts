// Does jobs of some kinds in this process: claims what is due and free, renews what it holds, lets go of what it has lost.
import { randomUUID } from "node:crypto";
import type { Config } from "../../config.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Database, Trx } from "../database/database.ts";
import { Fenced } from "../database/lease-table.ts";
import type { Logger } from "../logger.ts";
import { type Periodic, periodic } from "../periodic.ts";
import {
  claimableJobs,
  claimableJobsInTurn,
  finishJob,
  freeJobsOfTheDead,
  holdJob,
  insertJob,
  jobLeases,
  type JobRow,
  passJobOn,
  putOffJob,
} from "./job-store.ts";

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;
const STOP_MS = 3000;

/** A job that this process holds. */
export interface HeldJob {
  readonly row: JobRow;
  /** Aborted when the job is lost to another process or kind, and when this process ends. */
  readonly signal: AbortSignal;
  /** Locks it until the transaction ends. Throws Fenced. */
  hold(trx: Trx): Promise<void>;
  /** Ends the job in the transaction of its effect. Throws Fenced when it is lost: then the transaction must not be. */
  finish(trx: Trx): Promise<void>;
  /** As `finish`; the subject is left to a job of another kind. */
  passOn(trx: Trx, kind: string): Promise<void>;
  /** It cannot be done now, which is nobody's fault. */
  putOff(delayMs: number): Promise<void>;
}

export interface JobKind {
  kind: string;
  /** Runs of this kind at once in one process. */
  atOnce: number;
  /**
   * Runs of one user at once in one process. Where it is set users take turns, and there must be a bound on the jobs of this
   * kind; else those come first that are due for longest.
   */
  perUser?: number;
  /**
   * Does the job, and ends it. What it throws counts as an attempt, and so does the death of a process; the job is then tried
   * again, ever later. `row.attempts` tells how often: when to give up is the kind's own matter.
   */
  run(job: HeldJob): Promise<void>;
}

interface Deps {
  db: Database;
  log: Logger;
  ports: { clock: Clock };
  config: Pick<Config, "leaseRenewMs" | "leaseTimeoutMs">;
}

interface Running {
  row: JobRow;
  abort: AbortController;
}

export class JobRunner {
  readonly #deps: Deps;
  readonly #kinds: readonly JobKind[];
  readonly #owner = randomUUID();
  readonly #held = new Map<string, Running>();
  readonly #runs = new Set<Promise<void>>();
  readonly #looking: Periodic;
  readonly #renewing: Periodic;
  /** Held by this process in the database, but by no run, at the last look. */
  #idle = new Set<string>();
  #look: Promise<void> | null = null;
  #again = false;
  #stopped = false;

  constructor(deps: Deps, kinds: readonly JobKind[]) {
    this.#deps = deps;
    this.#kinds = kinds;
    const { leaseRenewMs } = deps.config;
    this.#looking = periodic(deps, "looking for jobs", leaseRenewMs, () => this.#lookNow());
    this.#renewing = periodic(deps, "renewing jobs", leaseRenewMs, () => this.#renew());
  }

  async start(): Promise<void> {
    const kinds = this.#kinds.map(({ kind }) => kind);
    if (this.#deps.db.engine === "sqlite")
      await freeJobsOfTheDead(this.#deps.db, { owner: this.#owner, kinds });
    this.#looking.start();
    this.#renewing.start();
    this.wake();
  }

  /** Aborts what runs, and leaves it to others; also what does not hear of it: then it is fenced. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#looking.stop(), this.#look]);
    for (const { abort } of this.#held.values()) abort.abort();
    await Promise.race([Promise.allSettled(this.#runs), this.#after(STOP_MS)]);
    await this.#renewing.stop();
    try {
      await jobLeases.release(this.#deps.db, this.#owner);
    } catch (error) {
      this.#deps.log.warn({ err: error }, "the jobs of this process could not be released; they lapse");
    }
  }

  #after(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#deps.ports.clock.after(ms, resolve));
  }

  /** There is a new job: it need not wait for the next look. */
  wake(): void {
    if (this.#stopped) return;
    void this.#lookNow().catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, "jobs could not be looked for; it is retried");
    });
  }

  /**
   * Makes a job that this process does itself, in the transaction that stores its subject, and calls `work` after that. When
   * the process dies meanwhile the job is run as its kind says. `work` must end the job, or leave it to be run.
   */
  async own<T>(
    job: Pick<JobRow, "subject" | "kind" | "user_id">,
    store: (trx: Trx) => Promise<void>,
    work: (job: HeldJob) => Promise<T>,
  ): Promise<T> {
    const { db } = this.#deps;
    const row = await db.transaction(async (trx) => {
      await store(trx);
      return insertJob(db, trx, { ...job, owner: this.#owner });
    });
    const running = this.#hold(row);
    const working = work(this.#handle(running));
    const settled = working.then(
      () => {},
      () => {},
    );
    this.#runs.add(settled);
    try {
      return await working;
    } finally {
      this.#runs.delete(settled);
      this.#letGo(running);
      await this.#freeWhereHeld(row, { delayMs: 0, counts: false });
      this.wake();
    }
  }

  async #lookNow(): Promise<void> {
    if (this.#look !== null) {
      this.#again = true;
      return this.#look;
    }
    this.#look = this.#claimAll();
    try {
      await this.#look;
    } finally {
      this.#look = null;
    }
    if (this.#again && !this.#stopped) {
      this.#again = false;
      this.wake();
    }
  }

  async #claimAll(): Promise<void> {
    const { db, config } = this.#deps;
    for (const kind of this.#kinds) {
      const free = kind.atOnce - this.#heldOf(kind).length;
      if (free <= 0 || this.#stopped) continue;
      const wanted = { kind: kind.kind, owner: this.#owner, timeoutMs: config.leaseTimeoutMs, limit: free };
      for (const seen of await this.#claimable(kind, wanted)) {
        const row = await jobLeases.claim(db, seen, this.#owner);
        // It may have become another kind since it was seen.
        if (row === undefined) continue;
        if (row.kind !== kind.kind || this.#stopped)
          await this.#freeWhereHeld(row, { delayMs: 0, counts: false });
        else this.#begin(kind, row);
      }
    }
  }

  async #claimable(
    { perUser, ...kind }: JobKind,
    wanted: Parameters<typeof claimableJobs>[1],
  ): Promise<JobRow[]> {
    const { db } = this.#deps;
    if (perUser === undefined) return claimableJobs(db, wanted);
    /** How many more of a user may run. */
    const room = new Map<string, number>();
    for (const { row } of this.#heldOf(kind)) room.set(row.user_id, (room.get(row.user_id) ?? perUser) - 1);
    const exceptUsers = [...room].flatMap(([user, left]) => (left > 0 ? [] : [user]));
    const rows = await claimableJobsInTurn(db, { ...wanted, exceptUsers });
    // Several of one user may be seen at once.
    return rows.filter(({ user_id: user }) => {
      const left = room.get(user) ?? perUser;
      room.set(user, left - 1);
      return left > 0;
    });
  }

  #heldOf({ kind }: Pick<JobKind, "kind">): Running[] {
    return [...this.#held.values()].filter(({ row }) => row.kind === kind);
  }

  #begin(kind: JobKind, row: JobRow): void {
    const running = this.#hold(row);
    const run = this.#run(kind, running).finally(() => {
      this.#runs.delete(run);
      this.#letGo(running);
      // Its place is free.
      this.wake();
    });
    this.#runs.add(run);
  }

  async #run(kind: JobKind, running: Running): Promise<void> {
    const { log } = this.#deps;
    const { row, abort } = running;
    try {
      await kind.run(this.#handle(running));
    } catch (error) {
      if (abort.signal.aborted || error instanceof Fenced) {
        await this.#freeWhereHeld(row, { delayMs: 0, counts: false });
        return;
      }
      log.error({ err: error, job: kind.kind, subject: row.subject }, "a job broke; it is tried again");
      const delayMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(row.attempts, 10));
      await this.#freeWhereHeld(row, { delayMs, counts: true });
    }
  }

  /** A job that cannot be freed now lapses. */
  async #freeWhereHeld(row: JobRow, how: { delayMs: number; counts: boolean }): Promise<void> {
    try {
      await putOffJob(this.#deps.db, row, how);
    } catch (error) {
      this.#deps.log.warn({ err: error, subject: row.subject }, "a job could not be freed; it lapses");
    }
  }

  #handle({ row, abort }: Running): HeldJob {
    const { db } = this.#deps;
    return {
      row,
      signal: abort.signal,
      hold: (trx) => holdJob(db, trx, row),
      finish: (trx) => finishJob(db, trx, row),
      passOn: (trx, kind) => passJobOn(db, trx, row, kind),
      putOff: (delayMs) => putOffJob(db, row, { delayMs, counts: false }),
    };
  }

  #hold(row: JobRow): Running {
    const running = { row, abort: new AbortController() };
    this.#held.set(row.subject, running);
    return running;
  }

  #letGo(running: Running): void {
    if (this.#held.get(running.row.subject) === running) this.#held.delete(running.row.subject);
  }

  async #renew(): Promise<void> {
    const { db } = this.#deps;
    // One that begins while the statement is under way is not in its answer, and no lost one.
    const held = [...this.#held.values()];
    const rows = new Map((await jobLeases.renew(db, this.#owner)).map((row) => [row.subject, row]));
    for (const { row, abort } of held) {
      const now = rows.get(row.subject);
      if (now?.epoch !== row.epoch || now.kind !== row.kind) abort.abort();
    }
    // Ours twice in a row without a run: the answer to the claim was lost.
    const idle = [...rows.values()].filter((row) => !this.#held.has(row.subject));
    for (const row of idle) {
      if (this.#idle.has(row.subject)) await this.#freeWhereHeld(row, { delayMs: 0, counts: true });
    }
    this.#idle = new Set(idle.map((row) => row.subject));
  }
}
