import { percentile } from "../support/percentile.ts";

export interface Times {
  p50Ms: number;
  p99Ms: number;
}

/** Of `rounds` runs one after another, the first tenth left out. */
export async function timesOf(rounds: number, work: (round: number) => Promise<unknown>): Promise<Times> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    await work(round);
    times.push(performance.now() - began);
  }
  const sorted = times.slice(Math.floor(rounds / 10)).sort((a, b) => a - b);
  return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}
