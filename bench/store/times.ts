import { percentile } from "../support/percentile.ts";

export interface Times {
  p50Ms: number;
  p99Ms: number;
}

type Work = (round: number) => Promise<unknown>;

/** Of `rounds` runs one after another, the first tenth left out. */
export async function timesOf(rounds: number, work: Work): Promise<Times> {
  const [times] = await timesInTurns(rounds, [work]);
  if (times === undefined) throw new Error("Nothing was measured.");
  return times;
}

/** The same of several, in turns: what disturbs the machine disturbs all of them. */
export async function timesInTurns(rounds: number, works: readonly Work[]): Promise<Times[]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, work] of works.entries()) {
      const began = performance.now();
      await work(round);
      times[index]?.push(performance.now() - began);
    }
  }
  return times.map((each) => {
    const sorted = each.slice(Math.floor(rounds / 10)).sort((a, b) => a - b);
    return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
  });
}
