// One who comes back to a running reply of 28 KB: until all of its text is there, against the bare call of
// `resumable-stream` on Redis, in turns. See README.md.
//
// Both sides begin with what a program that runs has already: the reference with its two connections to Redis, ours with a
// connection that has carried a call before, as a page's has, and a token that was looked up within the second. Both end
// with the whole text as one string in this process. Between the two, ours is a real call: HTTP, token, limits, whose
// session it is, all from the database, and the events as the browser gets them, read from the socket without a library
// (lean-connection.ts). The reference has no HTTP and no accounts; its writer sends the text through Redis to each reader.
// Printed beside them: the same call on a new connection, and the floor, a bare Node server that answers the same bytes.
import { fileURLToPath } from "node:url";
import { LeanConnection } from "./resume/lean-connection.ts";
import { startRedis } from "./resume/redis-server.ts";
import { openContext, STREAM } from "./resume/stream-context.ts";
import { type HeldReply, holdReply } from "./support/held-reply.ts";
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
const profile = process.env["PLUMB_PROFILE"];
const file = (name: string): string => fileURLToPath(new URL(`./resume/${name}.ts`, import.meta.url));

type Context = Awaited<ReturnType<typeof openContext>>;

/** Milliseconds until the bare call has the whole text. */
async function resumeBare({ streams }: Context): Promise<number> {
  const began = performance.now();
  const stream = await streams.resumeExistingStream(STREAM);
  if (stream == null) throw new Error("The stream is gone.");
  const reader = stream.getReader();
  let got = "";
  while (got.length < chars) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The stream ended after ${got.length} characters.`);
    got += value;
  }
  const took = performance.now() - began;
  await reader.cancel();
  if (got !== answer) throw new Error("The stream has another text.");
  return took;
}

/** Milliseconds until the text of the snapshot is there; `used` on a connection that has carried a call, else on a new one. */
async function resumeAt(origin: string, { call, last, text }: HeldReply, used: boolean): Promise<number> {
  const open = async (): Promise<LeanConnection> => LeanConnection.open(origin);
  const ready = used ? await open() : null;
  await ready?.use();
  const began = performance.now();
  const connection = ready ?? (await open());
  const body = await connection.post(
    call.path,
    call.headers,
    call.body,
    (events) => events.endsWith("\n\n") && events.includes(`id: ${last}\n`),
  );
  const got = textOf(body);
  const took = performance.now() - began;
  await connection.close();
  if (got !== text) throw new Error(`The answer has another text, of ${got.length} characters.`);
  return took;
}

/** What the snapshot says, as the page reads it. */
function textOf(events: string): string {
  const data = events.slice(events.lastIndexOf("data: ") + "data: ".length);
  const snapshot = JSON.parse(data) as { v: { response: { fragments: { content: string }[] } } };
  return snapshot.v.response.fragments.map(({ content }) => content).join("");
}

function report(name: string, times: number[]): number {
  times.sort((a, b) => a - b);
  const p50 = percentile(times, 0.5);
  console.log(`  ${name.padEnd(48)} p50 ${p50.toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms`);
  return p50;
}

console.log(describeMachine());
const redis = await startRedis();
const writer = new MeasuredProcess("the writer", file("redis-writer"));
const bare = new MeasuredProcess("the bare server", file("bare-server"));
const context = await openContext(redis.url);
const reply = await holdReply(answer);
try {
  await writer.ask({ url: redis.url, pieces }, "written");
  const [floor = ""] = await bare.says(/http:\/\/\S+/);
  await bare.ask({ text: await reply.read() }, "held");
  const { origin, process: server } = reply.server;
  const ways = [
    ["resume_stream", () => resumeAt(origin, reply, true)],
    ["resumable-stream on Redis, the bare call", () => resumeBare(context)],
    ["resume_stream, on a new connection", () => resumeAt(origin, reply, false)],
    ["floor: a bare Node server with the same bytes", () => resumeAt(floor, reply, true)],
    ["floor, on a new connection", () => resumeAt(floor, reply, false)],
  ] as const;
  const times = ways.map((): number[] => []);
  for (let round = 0; round < warmUp + rounds; round += 1) {
    if (round === warmUp && profile !== undefined) await server.ask({ profile: null }, "profiled");
    for (const [index, [, measure]] of ways.entries()) {
      const took = await measure();
      if (round >= warmUp) times[index]?.push(took);
    }
  }
  if (profile !== undefined) await server.ask({ profile }, "profiled");
  console.log(`a running reply of ${chars / 1024} KB in ${pieces.length} pieces, ${rounds} rounds`);
  const [ours = 0, theirs = 0] = ways.map(([name], index) => report(name, times[index] ?? []));
  console.log(`  ratio of p50 ${(ours / theirs).toFixed(2)} × (goal ≤ ${goal})`);
  if (ours > goal * theirs) process.exitCode = 1;
} finally {
  await reply.close();
  await context.close();
  await writer.end();
  await bare.end();
  await redis.stop();
}
