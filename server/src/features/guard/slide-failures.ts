// Which networks have lately failed a slide puzzle. A try is counted before it is judged: of many at once one is the first, and
// the others pay as after a failure. A cookie would not be remembered longer than its owner likes, so the network alone counts.
import type { Queryable } from "../../platform/database/database.ts";
import { networkOf } from "../../platform/network-of.ts";
import { type CounterLimit, countHit, isFull, uncountHit } from "./counter-store.ts";

/** One hit within an hour, that of a first try; it is taken back where the try was right. */
const FIRST_TRY: CounterLimit = { limit: 1, windowMs: 60 * 60_000 };
/** How much dearer than usual the proof of work of a network that has failed is. */
const DEARER = 8;

const keyOf = (ip: string) => `slide_failed:${networkOf(ip)}`;

/** Whether this try is the first of its network within an hour, but for those that were right. */
export async function countSlideTry(q: Queryable, ip: string, nowMs: number): Promise<boolean> {
  return (await countHit(q, keyOf(ip), FIRST_TRY, nowMs)) === null;
}

/** The first try was right. */
export async function forgetSlideTry(q: Queryable, ip: string, countedAtMs: number): Promise<void> {
  await uncountHit(q, keyOf(ip), FIRST_TRY, countedAtMs);
}

/** By how much the difficulty of a guest's challenge is multiplied for this address. */
export async function proofFactorOf(q: Queryable, ip: string, nowMs: number): Promise<number> {
  return (await isFull(q, keyOf(ip), FIRST_TRY, nowMs)) ? DEARER : 1;
}
