// The log of an ended reply is kept for a while, so that a reader who comes late still gets its end (wire-contract.md §4.2).
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Queryable } from "../../platform/database/database.ts";
import { purgeSomeLogs } from "../sessions/purge-store.ts";

/** Few enough that a statement stays short however long the replies were: on SQLite all others wait behind it. */
const REPLIES_PER_STATEMENT = 50;

/** Forgets the logs of all replies that closed before `endedBefore` (ms), some at a time. */
export async function purgeLogs(q: Queryable, endedBefore: number): Promise<void> {
  // Awaiting SQLite alone lets nobody in who waits on the network: it answers within the same turn of the event loop.
  while (await purgeSomeLogs(q, endedBefore, REPLIES_PER_STATEMENT)) await nextTurn();
}
