// How often a password may be guessed (wire-contract.md §1.9, class login).
import { Global } from "@plumb/protocol/wire/global-codes";
import type { Config } from "../../config.ts";
import type { Database } from "../../platform/database/database.ts";
import { GlobalRefusal } from "../../platform/refusal.ts";
import type { Clock } from "../../ports/clock.ts";
import { countHit, type CounterLimit, uncountHit } from "../guard/counter-store.ts";

const WINDOW_MS = 15 * 60_000;
/** Failures of one account and network, or of one account and a browser it knows. */
const NEARBY: CounterLimit = { limit: 10, windowMs: WINDOW_MS };
/** Failures of one account from everywhere, browsers it knows left out. */
const EVERYWHERE: CounterLimit = { limit: 20, windowMs: WINDOW_MS };

export interface PasswordGuess {
  /** The account's id, or what an unknown one was called by: both are counted alike. */
  account: string;
  /** Network of the caller's address. */
  network: string;
  /** From `findKnownDevice`; null for a browser that the account does not know. */
  device: string | null;
}

export class PasswordTries {
  #rateLimits: Config["rateLimits"];
  #db: Database;
  #clock: Clock;

  constructor({
    config,
    db,
    ports,
  }: {
    config: Pick<Config, "rateLimits">;
    db: Database;
    ports: { clock: Clock };
  }) {
    this.#rateLimits = config.rateLimits;
    this.#db = db;
    this.#clock = ports.clock;
  }

  /**
   * Runs `compare` and returns whether the password was right. The failure is counted before, so that parallel guesses
   * cannot pass together, and taken back when the password was right or was not compared because `compare` threw.
   * Throws 42903 with Retry-After when no failure is left.
   */
  async guess(guess: PasswordGuess, compare: () => Promise<boolean>): Promise<boolean> {
    if (this.#rateLimits === "off") return compare();
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

  /** Counts on all or none. Null when counted, else the milliseconds until it may be tried again. */
  async #take(counters: readonly Counter[], nowMs: number): Promise<number | null> {
    return this.#db.transaction(async (trx) => {
      for (const [index, { key, limit }] of counters.entries()) {
        const waitMs = await countHit(trx, key, limit, nowMs);
        if (waitMs === null) continue;
        for (const counted of counters.slice(0, index)) {
          await uncountHit(trx, counted.key, counted.limit, nowMs);
        }
        return waitMs;
      }
      return null;
    });
  }

  async #giveBack(counters: readonly Counter[], takenAtMs: number): Promise<void> {
    await this.#db.transaction(async (trx) => {
      for (const { key, limit } of counters) await uncountHit(trx, key, limit, takenAtMs);
    });
  }
}

interface Counter {
  key: string;
  limit: CounterLimit;
}

/** Always in the same order, so that transactions cannot wait for each other in a circle. */
function countersOf({ account, network, device }: PasswordGuess): Counter[] {
  if (device !== null) return [{ key: `failed_password:${account}:device:${device}`, limit: NEARBY }];
  return [
    { key: `failed_password:${account}`, limit: EVERYWHERE },
    { key: `failed_password:${account}:${network}`, limit: NEARBY },
  ];
}
