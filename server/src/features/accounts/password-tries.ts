// Limits of failed passwords (wire-contract.md §1.9, class login).
import { Global } from "@plumb/protocol/wire/global-codes";
import type { Database, Queryable } from "../../platform/database/database.ts";
import { GlobalRefusal } from "../../platform/refusal.ts";
import type { Clock } from "../../ports/clock.ts";
import {
  countBoth,
  type Counter,
  countHit,
  type CounterLimit,
  deleteCounters,
  uncountHit,
} from "../guard/counter-store.ts";

const WINDOW_MS = 15 * 60_000;
/** Failures per account and network, and per account and known browser. */
const NEARBY: CounterLimit = { limit: 10, windowMs: WINDOW_MS };
/** Failures per account from all addresses together, known browsers not included. */
const EVERYWHERE: CounterLimit = { limit: 20, windowMs: WINDOW_MS };

export interface PasswordGuess {
  /**
   * The account's id and the kind of name that was given, or the given e-mail or number where there is no account: both are
   * counted the same.
   */
  account: string;
  /** The caller's address, or its /48. */
  network: string;
  /** From `findKnownDevice`; null for a browser that the account does not know. */
  device: string | null;
}

/** Counted whatever RATE_LIMITS says: it is for load, not for guessing. */
export class PasswordTries {
  #db: Database;
  #clock: Clock;

  constructor({ db, ports }: { db: Database; ports: { clock: Clock } }) {
    this.#db = db;
    this.#clock = ports.clock;
  }

  /**
   * Runs `compare` and returns whether the password was right. The failure is counted before, so that parallel guesses
   * cannot pass together, and taken back when the password was right or was not compared because `compare` threw.
   * Throws 42903 with Retry-After when no failure is left.
   */
  async guess(guess: PasswordGuess, compare: () => Promise<boolean>): Promise<boolean> {
    const nowMs = this.#clock.now();
    const counters = countersOf(guess);
    const waitMs = await this.#take(counters, nowMs);
    if (waitMs !== null) {
      throw new GlobalRefusal(Global.OperationTooFrequent, {
        retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
      });
    }
    let failed = false;
    try {
      failed = !(await compare());
      return !failed;
    } finally {
      if (!failed) await this.#giveBack(counters, nowMs);
    }
  }

  /**
   * Counts a failure on all counters or on none. Null when counted, else the milliseconds until there is room again. It does
   * not wait for the disk: a power cut may forget the last ones, the end of the process none.
   */
  #take([one, other]: Counters, nowMs: number): Promise<number | null> {
    return this.#db.unsynced((q) =>
      other === undefined ? countHit(q, one.key, one.limit, nowMs) : countBoth(q, one, other, nowMs),
    );
  }

  async #giveBack(counters: Counters, takenAtMs: number): Promise<void> {
    await this.#db.unsynced(async (q) => {
      for (const { key, limit } of counters) await uncountHit(q, key, limit, takenAtMs);
    });
  }
}

/** The account has a new password: what failed before counts no more, from wherever it came. */
export async function forgetFailedPasswords(trx: Queryable, userId: string): Promise<void> {
  await deleteCounters(trx, `failed_password:${userId}`);
}

type Counters = readonly [Counter] | readonly [Counter, Counter];

/** Always in the same order, so that statements of two rows cannot wait for each other. */
function countersOf({ account, network, device }: PasswordGuess): Counters {
  if (device !== null) return [{ key: `failed_password:${account}:device:${device}`, limit: NEARBY }];
  return [
    { key: `failed_password:${account}`, limit: EVERYWHERE },
    { key: `failed_password:${account}:${network}`, limit: NEARBY },
  ];
}
