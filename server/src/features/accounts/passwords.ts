// Password hashes: argon2id, at most two at once, because each takes 19 MiB and a core.
import { Global } from "@plumb/protocol/wire/global-codes";
import PQueue from "p-queue";
import { GlobalRefusal } from "../../platform/refusal.ts";
import { HASH_PARAMETERS } from "./hash-parameters.ts";
import { type HashTask, HashThread } from "./hash-thread.ts";

/** Each hashes one at a time. */
const threads = [new HashThread(), new HashThread()] as const;
/** The one it works on, and the next, so that it need not wait for this thread in between. */
const TASKS_PER_THREAD = 2;
/** About a second of work. */
const MAX_WAITING = 150;

const queue = new PQueue({ concurrency: threads.length * TASKS_PER_THREAD });

async function inTurn(task: HashTask): Promise<string | boolean> {
  if (queue.size >= MAX_WAITING) throw new GlobalRefusal(Global.ServerBusy, { retryAfter: 1 });
  return queue.add(() => (threads[1].load < threads[0].load ? threads[1] : threads[0]).run(task));
}

/** Hash of a new password in PHC form. Throws 42905 when too many wait. */
export async function hashPassword(password: string): Promise<string> {
  return String(await inTurn({ password, compareWith: null }));
}

/** The hash of 32 random bytes that nobody kept, with the same parameters. */
const DECOY =
  "$argon2id$v=19$m=19456,t=2,p=1$sNtUPkPsTPaEmqlLnobYaA$N0Xn0uK7L2Gf5dP0HfgYqzqnrgccJiEc7TmMmr9kbNw";

/**
 * Whether the password fits the hash. Without a hash (unknown account, or one without a password) a decoy is compared and
 * the result is false, so that both cases take the same time (wire-contract.md §8.1). Throws 42905 when too many wait.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const fits = await inTurn({ password, compareWith: passwordHash ?? DECOY });
  return fits === true && passwordHash !== null;
}

const { memoryCost, timeCost, parallelism } = HASH_PARAMETERS;
const TODAYS = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;
const STORED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/u;

/** Whether the hash was made by a weaker rule than today's: another algorithm, less memory or fewer passes. */
export function isWeakHash(passwordHash: string): boolean {
  if (passwordHash.startsWith(TODAYS)) return false;
  const [, memory, passes] = STORED.exec(passwordHash) ?? [];
  return Number(memory ?? 0) < memoryCost || Number(passes ?? 0) < timeCost;
}
