// How fast a running reply is shown to one who comes back: from an early event, and as a whole. See README.md.
import { holdReply } from "./support/held-reply.ts";
import { describeMachine } from "./support/machine.ts";
import { percentile } from "./support/percentile.ts";

const rounds = Number(process.env["PLUMB_ROUNDS"] ?? 100);
const warmUp = 10;
const tokens = Number(process.env["PLUMB_TOKENS"] ?? 4000);
const readersAtOnce = 4;

console.log(describeMachine());
const answer = Array.from({ length: tokens }, (_none, index) => `word${index % 1000} `).join("");
const reply = await holdReply(answer);
try {
  async function report(name: string, from: number | null, readers: number): Promise<void> {
    const times: number[] = [];
    for (let round = 0; round < warmUp + rounds; round += 1) {
      const began = performance.now();
      await Promise.all(Array.from({ length: readers }, () => reply.resume(from)));
      if (round >= warmUp) times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    const p50 = percentile(times, 0.5);
    const events = from === null ? 1 : (reply.last - from) * readers;
    const perSecond = from === null ? "" : `, ${Math.round((events / p50) * 1000)} events/s`;
    console.log(
      `  ${name.padEnd(34)} p50 ${p50.toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms${perSecond}`,
    );
  }

  console.log(
    `a running reply of ${(answer.length / 1024).toFixed(0)} KB in ${reply.last} events, ${rounds} rounds`,
  );
  await report("from the first event, one reader", 1, 1);
  await report(`from the first event, ${readersAtOnce} at once`, 1, readersAtOnce);
  await report("as a whole, one reader", null, 1);
} finally {
  await reply.close();
}
