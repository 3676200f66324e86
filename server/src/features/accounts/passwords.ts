// Password hashes: argon2id, at most two at once, because each takes 19 MiB and a core.
import { hash, verify } from "@node-rs/argon2";
import { Global } from "@plumb/protocol/wire/global-codes";
import PQueue from "p-queue";
import { GlobalRefusal } from "../../platform/refusal.ts";

// argon2id is the library's default algorithm. The numbers are OWASP's minimum.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const AT_ONCE = 2;
/** About a second of work. */
const MAX_WAITING = 150;

const queue = new PQueue({ concurrency: AT_ONCE });

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (queue.size >= MAX_WAITING) throw new GlobalRefusal(Global.ServerBusy, { retryAfter: 1 });
  return queue.add(work);
}

/** Hash of a new password in PHC form. Throws 42905 when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, PARAMETERS));
}

/** The hash of 32 random bytes that nobody kept, with the same parameters. */
const DECOY =
  "$argon2id$v=19$m=19456,t=2,p=1$sNtUPkPsTPaEmqlLnobYaA$N0Xn0uK7L2Gf5dP0HfgYqzqnrgccJiEc7TmMmr9kbNw";

/**
 * Whether the password fits the hash. Without a hash (unknown account, or one without a password) a decoy is compared and
 * the result is false, so that both cases take the same time (wire-contract.md §8.1). Throws 42905 when too many wait.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const fits = await inTurn(() => verify(passwordHash ?? DECOY, password));
  return fits && passwordHash !== null;
}
