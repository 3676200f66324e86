import { percentile } from "../support/percentile.ts";
import { waitedMs } from "../support/waited.ts";

export interface Times {
  p50Ms: number;
  p99Ms: number;
  /** With the time in which the machine ran others. */
  p99OnTheClockMs: number;
}

type Work = (round: number) => Promise<unknown>;

/** Times of several works, in turns: what disturbs the machine disturbs all of them. The first tenth is left out. */
export async function timesInTurns(rounds: number, works: readonly Work[]): Promise<Times[]> {
  const times = works.map((): { ms: number; clockMs: number }[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, work] of works.entries()) {
      const waited = waitedMs();
      const began = performance.now();
      await work(round);
      const clockMs = performance.now() - began;
      times[index]?.push({ ms: clockMs - (waitedMs() - waited), clockMs });
    }
  }
  return times.map((each) => {
    const counted = each.slice(Math.floor(rounds / 10));
    const sorted = counted.map(({ ms }) => ms).sort((a, b) => a - b);
    const onTheClock = counted.map(({ clockMs }) => clockMs).sort((a, b) => a - b);
    return {
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
      p99OnTheClockMs: percentile(onTheClock, 0.99),
    };
  });
}
