// argon2id, at most two at once: each takes 19 MiB and a core.
import { hash, verify } from "@node-rs/argon2";
import { Global } from "@plumb/protocol/wire/global-codes";
import { GlobalRefusal } from "../../platform/refusal.ts";

// argon2id is the library's default algorithm. The numbers are OWASP's minimum.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const AT_ONCE = 2;
/** About a second of work; whoever comes later is told that the server is busy. */
const MAX_WAITING = 150;

/** A gate that lets `atOnce` pieces of work run and the others wait in order. */
class Queue {
  #running = 0;
  #waiting: (() => void)[] = [];

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= MAX_WAITING) throw new GlobalRefusal(Global.ServerBusy, { retryAfter: 1 });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      // The place is handed to the next one without being free in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

const queue = new Queue();

/** Hash of a new password in PHC form. Throws 42905 when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return queue.run(() => hash(password, PARAMETERS));
}

let decoy: Promise<string> | null = null;

/**
 * Whether the password fits the hash. Without a hash (unknown account, or one without a password) the same work is done
 * on a decoy and the answer is false, so that time tells nothing (wire.md §8.1).
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword("decoy");
  const compared = passwordHash ?? (await decoy);
  const fits = await queue.run(() => verify(compared, password));
  return fits && passwordHash !== null;
}
