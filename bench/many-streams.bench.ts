// Many replies at once through the whole product (sign-up, puzzle, durable log) against a bare Node pipe in the same
// run: CPU of the process per upstream event, added latency, loop delay, stalls. See README.md.
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { describeMachine } from "./support/machine.ts";
import { coreShare, MeasuredProcess, type Reading } from "./support/measured-process.ts";
import { startProductServer } from "./support/product-server.ts";

const counts = (process.env["PLUMB_STREAMS"] ?? "300,400").split(",").map(Number);
const seconds = Number(process.env["PLUMB_SECONDS"] ?? 12);
const everyMs = 20;
const settleMs = 2000;
const file = (name: string): string => fileURLToPath(new URL(`./many-streams/${name}.ts`, import.meta.url));
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface ClientResult {
  events: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  stalls: number;
  bytes: number;
  chunks: number;
}

interface Measured {
  microsPerEvent: number;
  systemShare: number;
  result: ClientResult;
  loop: Reading["loopDelayMs"];
  rssMb: number;
  generatorShare: number;
  clientShare: number;
  serverShare: number;
  /** Upstream events that had not arrived when all streams had ended. */
  lost: number;
}

async function measure(kind: "pipe" | "product", count: number): Promise<Measured> {
  const generator = new MeasuredProcess("the generator", file("generator"));
  const client = new MeasuredProcess("the client", file("client"));
  const closing: (() => Promise<void>)[] = [() => client.end(), () => generator.end()];
  try {
    const [upstream] = await generator.says(/http:\/\/\S+/);
    let server: MeasuredProcess;
    if (kind === "pipe") {
      server = new MeasuredProcess("the pipe", file("pipe"), { env: { UPSTREAM: upstream } });
      closing.unshift(() => server.end());
      const [origin] = await server.says(/http:\/\/\S+/);
      await client.ask({ open: "pipe", origin, count }, "opened", 60_000);
    } else {
      const product = await startProductServer({ MODEL_BASE_URL: upstream });
      closing.unshift(() => product.close());
      server = product.process;
      const codes = join(product.dataDir, "outbox.jsonl");
      await client.ask({ open: "product", origin: product.origin, codes, count }, "opened", 120_000);
    }
    // A reply is ready before its model is asked.
    let running = 0;
    for (let tries = 0; tries < 100 && running < count; tries += 1) {
      await sleep(50);
      running = await generator.ask<number>({ streams: true }, "streams");
    }
    if (running !== count) throw new Error(`${running} of ${count} streams reached the generator.`);
    await generator.ask({ pace: everyMs }, "paced");
    await sleep(settleMs);

    const profile = kind === "product" ? process.env["PLUMB_PROFILE"] : undefined;
    if (profile !== undefined) await server.ask({ profile: null }, "profiled");
    await client.ask({ measure: true }, "measuring");
    const before = await Promise.all([server.read(true), generator.read(true), client.read(true)]);
    const sentBefore = await generator.ask<number>({ count: true }, "counted");
    await sleep(seconds * 1000);
    const after = await Promise.all([server.read(), generator.read(), client.read()]);
    const sentAfter = await generator.ask<number>({ count: true }, "counted");
    const result = await client.ask<ClientResult>({ result: true }, "result");

    if (profile !== undefined) await server.ask({ profile }, "profiled");

    await generator.ask({ finish: true }, "finished");
    const sent = (await generator.ask<number>({ count: true }, "counted")) + count;
    let totals = { arrived: 0, ended: 0 };
    for (let waited = 0; waited < 15_000 && totals.ended < count; waited += 200) {
      await sleep(200);
      totals = await client.ask({ totals: true }, "totals");
    }
    const cpu = after[0].cpuMicros - before[0].cpuMicros;
    return {
      microsPerEvent: cpu / (sentAfter - sentBefore),
      systemShare: 1 - (after[0].userMicros - before[0].userMicros) / cpu,
      result,
      loop: after[0].loopDelayMs,
      rssMb: after[0].rssBytes / 2 ** 20,
      serverShare: coreShare(before[0], after[0]),
      generatorShare: coreShare(before[1], after[1]),
      clientShare: coreShare(before[2], after[2]),
      lost: sent - totals.arrived,
    };
  } finally {
    for (const close of closing) await close();
  }
}

function print(name: string, measured: Measured): void {
  const { result, loop } = measured;
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  console.log(
    `  ${name.padEnd(8)} ${measured.microsPerEvent.toFixed(1)} µs CPU per upstream event (${percent(measured.systemShare)} in the system), ` +
      `latency p50 ${result.p50Ms.toFixed(2)} p99 ${result.p99Ms.toFixed(2)} max ${result.maxMs.toFixed(0)} ms, ` +
      `loop delay p99 ${loop.p99.toFixed(1)} max ${loop.max.toFixed(0)} ms, stalls ${result.stalls}, lost ${measured.lost}`,
  );
  console.log(
    `           core shares: itself ${percent(measured.serverShare)}, generator ${percent(measured.generatorShare)}, client ${percent(measured.clientShare)}; ` +
      `${Math.round(result.events / seconds)} events/s in ${Math.round(result.chunks / seconds)} reads/s; RSS ${Math.round(measured.rssMb)} MB`,
  );
}

console.log(describeMachine());
for (const count of counts) {
  console.log(`${count} replies at ${1000 / everyMs} events a second for ${seconds} s`);
  const pipe = await measure("pipe", count);
  print("pipe", pipe);
  const product = await measure("product", count);
  print("product", product);
  const ratio = product.microsPerEvent / pipe.microsPerEvent;
  console.log(
    `  ratio    CPU per event ${ratio.toFixed(2)} × (goal ≤ 1.25), added latency p50 ` +
      `${(product.result.p50Ms - pipe.result.p50Ms).toFixed(1)} p99 ${(product.result.p99Ms - pipe.result.p99Ms).toFixed(1)} ms (goal p99 ≤ 100), ` +
      `loop delay p99 ${product.loop.p99.toFixed(1)} ms, stalls ${product.result.stalls} (goal 0)`,
  );
  const share = Math.max(pipe.generatorShare, product.generatorShare);
  if (share > 0.9) {
    console.log(`  VOID: the generator itself took ${Math.round(share * 100)} % of a core.`);
    process.exitCode = 1;
  }
}
