// One who comes back to a running reply of 28 KB: until all of it is there, against the bare call of `resumable-stream` on
// Redis, in turns. See README.md.
import { fileURLToPath } from "node:url";
import { startRedis } from "./resume/redis-server.ts";
import { openContext, STREAM } from "./resume/stream-context.ts";
import { holdReply } from "./support/held-reply.ts";
import { describeMachine } from "./support/machine.ts";
import { MeasuredProcess } from "./support/measured-process.ts";
import { percentile } from "./support/percentile.ts";

const rounds = Number(process.env["PLUMB_ROUNDS"] ?? 300);
const warmUp = 30;
const goal = 1;
const chars = 28 * 1024;
const answer = Array.from({ length: chars / 4 }, (_none, index) => `word${index % 1000} `)
  .join("")
  .slice(0, chars);
const pieces = answer.match(/\S+\s*/gu) ?? [];

type Context = Awaited<ReturnType<typeof openContext>>;

/** Milliseconds until the bare call has the whole text. */
async function resumeBare({ streams }: Context): Promise<number> {
  const began = performance.now();
  const stream = await streams.resumeExistingStream(STREAM);
  if (stream == null) throw new Error("The stream is gone.");
  const reader = stream.getReader();
  let got = 0;
  while (got < chars) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The stream ended after ${got} characters.`);
    got += value.length;
  }
  const took = performance.now() - began;
  await reader.cancel();
  return took;
}

function report(name: string, times: number[]): number {
  times.sort((a, b) => a - b);
  const p50 = percentile(times, 0.5);
  console.log(`  ${name.padEnd(36)} p50 ${p50.toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms`);
  return p50;
}

console.log(describeMachine());
const redis = await startRedis();
const writer = new MeasuredProcess(
  "the writer",
  fileURLToPath(new URL("./resume/redis-writer.ts", import.meta.url)),
);
const context = await openContext(redis.url);
const reply = await holdReply(answer);
try {
  await writer.ask({ url: redis.url, pieces }, "written");
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const [mine, theirs] = [await reply.resume(null), await resumeBare(context)];
    if (round < warmUp) continue;
    ours.push(mine);
    bare.push(theirs);
  }
  console.log(`a running reply of ${chars / 1024} KB in ${pieces.length} pieces, ${rounds} rounds`);
  const ratio =
    report("resume_stream, over HTTP", ours) / report("resumable-stream on Redis, the bare call", bare);
  console.log(`  ratio of p50 ${ratio.toFixed(2)} × (goal ≤ ${goal})`);
  if (ratio > goal) process.exitCode = 1;
} finally {
  await reply.close();
  await context.close();
  await writer.end();
  await redis.stop();
}
