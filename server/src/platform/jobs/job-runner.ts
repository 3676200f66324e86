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
import { beginTurn, chargeTurn, forgetTurns } from "./turn-store.ts";

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;
const STOP_MS = 3000;
const FORGET_MS = 10 * 60_000;

/** A job that this process holds. */
export interface HeldJob {
  readonly row: JobRow;
  /** Aborted when the job is lost to another process or kind, when its short place is wanted, and when this process ends. */
  readonly signal: AbortSignal;
  /** Whether it runs in a short place (Turns): what takes long is better left than begun. */
  readonly isShort: boolean;
  /** Locks it until the transaction ends. Throws Fenced. */
  hold(trx: Trx): Promise<void>;
  /** Ends the job in the transaction of its effect. Throws Fenced when it is lost: then the transaction must not be. */
  finish(trx: Trx): Promise<void>;
  /** As `finish`; the subject is left to a job of another kind, of which `weight` says what it may cost (JobsTable). */
  passOn(trx: Trx, kind: string, weight?: number): Promise<void>;
  /** It cannot be done now, which is nobody's fault. */
  putOff(delayMs: number): Promise<void>;
  /** It takes longer than a short place allows: it begins again in an ordinary one. */
  leaveShortPlace(): Promise<void>;
}

export interface Turns {
  /** Runs of one account at once in one process. */
  perUser: number;
  /**
   * Further places, for when all others are taken: for accounts that have no run in this process and used little lately. A
   * run in one is broken off after `ms`, and begins again in an ordinary place when its turn comes: so nobody waits for what
   * takes long, and what takes long is done, too.
   */
  short?: { places: number; ms: number };
}

export interface JobKind {
  kind: string;
  /** Runs of this kind at once in one process. */
  atOnce: number;
  /**
   * Where it is set accounts take turns (turn-store.ts), and there must be a bound on the jobs of this kind; else those come
   * first that are due for longest.
   */
  turns?: Turns;
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
  place: Place;
  /** It takes longer than a short place allows. */
  isLong: boolean;
}

/** `own`: the work of a request, which takes no place of those that wait for one. */
type Place = "ordinary" | "short" | "own";

export class JobRunner {
  readonly #deps: Deps;
  readonly #kinds: readonly JobKind[];
  readonly #owner = randomUUID();
  readonly #held = new Map<string, Running>();
  readonly #runs = new Set<Promise<void>>();
  readonly #looking: Periodic;
  readonly #renewing: Periodic;
  readonly #forgetting: Periodic;
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
    this.#forgetting = periodic(deps, "forgetting turns", FORGET_MS, () =>
      forgetTurns(deps.db, deps.ports.clock.now()),
    );
  }

  async start(): Promise<void> {
    const kinds = this.#kinds.map(({ kind }) => kind);
    if (this.#deps.db.engine === "sqlite")
      await freeJobsOfTheDead(this.#deps.db, { owner: this.#owner, kinds });
    this.#looking.start();
    this.#renewing.start();
    if (this.#kinds.some(({ turns }) => turns !== undefined)) this.#forgetting.start();
    this.wake();
  }

  /** Aborts what runs, and leaves it to others; also what does not hear of it: then it is fenced. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#looking.stop(), this.#forgetting.stop(), this.#look]);
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
    const running = this.#hold(row, "own");
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
      const free = kind.atOnce - this.#heldOf(kind, "ordinary").length;
      if (kind.turns !== undefined) {
        await this.#claimInTurn(kind, kind.turns, "ordinary", free);
        await this.#claimInTurn(kind, kind.turns, "short", this.#freeShortPlaces(kind));
        continue;
      }
      if (free <= 0 || this.#stopped) continue;
      const wanted = { kind: kind.kind, owner: this.#owner, timeoutMs: config.leaseTimeoutMs, limit: free };
      for (const seen of await claimableJobs(db, wanted)) await this.#claim(kind, seen, "ordinary");
    }
  }

  /** Begins the jobs of those whose turn it is, one after the other: each claim changes who is next. */
  async #claimInTurn(kind: JobKind, turns: Turns, place: Place, free: number): Promise<void> {
    const { db, config } = this.#deps;
    for (let left = free; left > 0 && !this.#stopped; left -= 1) {
      const [seen] = await claimableJobsInTurn(db, {
        kind: kind.kind,
        owner: this.#owner,
        timeoutMs: config.leaseTimeoutMs,
        limit: 1,
        exceptUsers: this.#usersWith(kind, place === "short" ? 1 : turns.perUser),
        forShortPlace: place === "short",
      });
      if (seen === undefined) return;
      await this.#claim(kind, seen, place);
    }
  }

  #freeShortPlaces(kind: JobKind): number {
    const { places = 0 } = kind.turns?.short ?? {};
    if (this.#heldOf(kind, "ordinary").length < kind.atOnce) return 0;
    return places - this.#heldOf(kind, "short").length;
  }

  /** Who has at least so many runs of the kind here. */
  #usersWith(kind: JobKind, runs: number): string[] {
    const counts = new Map<string, number>();
    for (const { row } of this.#heldOf(kind)) counts.set(row.user_id, (counts.get(row.user_id) ?? 0) + 1);
    return [...counts].flatMap(([user, count]) => (count >= runs ? [user] : []));
  }

  async #claim(kind: JobKind, seen: JobRow, place: Place): Promise<void> {
    const row = await jobLeases.claim(this.#deps.db, seen, this.#owner);
    // It may have become another kind since it was seen.
    if (row === undefined) return;
    if (row.kind !== kind.kind || this.#stopped) {
      await this.#freeWhereHeld(row, { delayMs: 0, counts: false });
      return;
    }
    if (kind.turns !== undefined) await beginTurn(this.#deps.db, row);
    this.#begin(kind, row, place);
  }

  #heldOf({ kind }: Pick<JobKind, "kind">, place?: Place): Running[] {
    return [...this.#held.values()].filter(
      (running) => running.row.kind === kind && (place === undefined || running.place === place),
    );
  }

  #begin(kind: JobKind, row: JobRow, place: Place): void {
    const running = this.#hold(row, place);
    const endShort = this.#limitShort(kind, running);
    const run = this.#run(kind, running).finally(() => {
      endShort();
      this.#runs.delete(run);
      this.#letGo(running);
      // Its place is free.
      this.wake();
    });
    this.#runs.add(run);
  }

  /** Breaks a run in a short place off when its time is over; returns what calls that off. */
  #limitShort({ turns }: JobKind, running: Running): () => void {
    if (running.place !== "short" || turns?.short === undefined) return () => {};
    return this.#deps.ports.clock.after(turns.short.ms, () => {
      running.isLong = true;
      running.abort.abort();
    });
  }

  async #run(kind: JobKind, running: Running): Promise<void> {
    const { ports } = this.#deps;
    const beganAt = ports.clock.monotonic();
    await this.#runOrFree(kind, running);
    if (kind.turns === undefined) return;
    try {
      const ms = ports.clock.monotonic() - beganAt;
      await chargeTurn(this.#deps.db, running.row, { ms, isLong: running.isLong });
    } catch (error) {
      this.#deps.log.warn({ err: error, job: kind.kind }, "what a job used could not be stored");
    }
  }

  async #runOrFree(kind: JobKind, running: Running): Promise<void> {
    const { log } = this.#deps;
    const { row, abort } = running;
    try {
      await kind.run(this.#handle(running));
    } catch (error) {
      if (abort.signal.aborted || error instanceof Fenced) {
        await this.#freeWhereHeld(row, { delayMs: 0, counts: false, isLong: running.isLong });
        return;
      }
      log.error({ err: error, job: kind.kind, subject: row.subject }, "a job broke; it is tried again");
      const delayMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(row.attempts, 10));
      await this.#freeWhereHeld(row, { delayMs, counts: true });
    }
  }

  /** A job that cannot be freed now lapses. */
  async #freeWhereHeld(row: JobRow, how: Parameters<typeof putOffJob>[2]): Promise<void> {
    try {
      await putOffJob(this.#deps.db, row, how);
    } catch (error) {
      this.#deps.log.warn({ err: error, subject: row.subject }, "a job could not be freed; it lapses");
    }
  }

  #handle(running: Running): HeldJob {
    const { db } = this.#deps;
    const { row, abort, place } = running;
    return {
      row,
      signal: abort.signal,
      isShort: place === "short",
      hold: (trx) => holdJob(db, trx, row),
      finish: (trx) => finishJob(db, trx, row),
      passOn: (trx, kind, weight = 0) => passJobOn(db, trx, row, { kind, weight }),
      putOff: (delayMs) => putOffJob(db, row, { delayMs, counts: false }),
      leaveShortPlace: () => {
        running.isLong = true;
        return putOffJob(db, row, { delayMs: 0, counts: false, isLong: true });
      },
    };
  }

  #hold(row: JobRow, place: Place): Running {
    const running: Running = { row, abort: new AbortController(), place, isLong: false };
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
