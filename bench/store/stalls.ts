// How long the event loop of a thread stood still, and whose doing it was.
import { Worker } from "node:worker_threads";
import { waitedMs } from "../support/waited.ts";
import { noteWhatIsDone, type UnderWay } from "./under-way.ts";

export interface Stalls extends UnderWay {
  /** The longest, without what the thread then waited for a processor. */
  longestMs: number;
  /** What the thread did in the longest; the rest it slept: for the disk, or for helpers of the collector that got no processor. */
  processorMs: number;
  longestOnTheClockMs: number;
  /** The longest on the clock of a thread that does nothing meanwhile. */
  ofIdleThreadMs: number;
  tookMs: number;
}

interface OfOneThread extends Pick<Stalls, "longestMs" | "processorMs" | "longestOnTheClockMs"> {
  /** When the longest was (performance.now() of its thread). */
  at: { from: number; to: number };
}

/** The stalls of this thread while `work` runs. A timer of 1 ms is looked at: what comes later than that is a stall. */
export async function stallsOf(work: () => Promise<void>): Promise<Stalls> {
  const idle = new Worker(new URL("idle-thread.ts", import.meta.url));
  try {
    // Answers once it runs, and begins anew.
    await ask(idle);
    const done = noteWhatIsDone();
    const began = performance.now();
    const meter = watch();
    await work();
    const tookMs = performance.now() - began;
    // A stall at the end is seen by the timer after it.
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { at, ...longest } = meter.stop();
    const ofIdleThreadMs = (await ask(idle)).longestOnTheClockMs;
    return { ...longest, ...done.stop()(at), tookMs, ofIdleThreadMs };
  } finally {
    await idle.terminate();
  }
}

/** Watches the loop of the thread that calls, until `stop`. */
export function watch(): { stop(): OfOneThread } {
  const longest = { longestMs: 0, processorMs: 0, longestOnTheClockMs: 0, at: { from: 0, to: 0 } };
  let last = performance.now();
  let waited = waitedMs();
  let processor = processorMs();
  const timer = setInterval(() => {
    const now = performance.now();
    const waitedNow = waitedMs();
    const onTheClock = Math.max(0, now - last - 1);
    longest.longestOnTheClockMs = Math.max(longest.longestOnTheClockMs, onTheClock);
    const processorNow = processorMs();
    const ms = onTheClock - (waitedNow - waited);
    if (ms > longest.longestMs) {
      longest.longestMs = ms;
      longest.processorMs = processorNow - processor;
      longest.at = { from: last, to: now };
    }
    last = now;
    waited = waitedNow;
    processor = processorNow;
  }, 1);
  return {
    stop() {
      clearInterval(timer);
      return longest;
    },
  };
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function ask(idle: Worker): Promise<OfOneThread> {
  return new Promise((resolve, reject) => {
    idle.once("message", resolve);
    idle.once("error", reject);
    idle.postMessage("since last time");
  });
}
