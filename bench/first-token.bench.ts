// The time the product adds before the first token: from the request to the first piece of text, through the product
// (puzzle checked, both messages and the text committed to disk) and directly, one after the other. See README.md.
import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { keepAliveAgent, openCall } from "../e2e/support/http-call.ts";
import { LoadClient, newStreamId } from "../e2e/support/load-client.ts";
import { describeMachine } from "./support/machine.ts";
import { MeasuredProcess } from "./support/measured-process.ts";
import { percentile } from "./support/percentile.ts";
import { startProductServer } from "./support/product-server.ts";

const rounds = Number(process.env["PLUMB_ROUNDS"] ?? 200);
const warmUp = 20;
/** Silence before each send, so that the commits of the round before are no part of it. */
const quietMs = 60;

/** Milliseconds until the first stamp of the generator is read. */
async function firstStamp(
  open: () => Promise<IncomingMessage>,
): Promise<{ ms: number; body: IncomingMessage }> {
  const began = performance.now();
  const body = await open();
  let text = "";
  for (;;) {
    const part = body.read() as Buffer | null;
    if (part === null) await new Promise((resolve) => body.once("readable", resolve));
    else text += part.toString("latin1");
    if (/~\w+ /.test(text)) return { ms: performance.now() - began, body };
  }
}

async function drained(body: IncomingMessage): Promise<void> {
  body.resume();
  if (!body.readableEnded) await new Promise((resolve) => body.once("end", resolve));
}

/** What one durable commit costs on this disk: the product waits for two before the first text. */
function commitMs(): number {
  const folder = mkdtempSync(join(tmpdir(), "plumb-bench-"));
  const db = new DatabaseSync(join(folder, "commit.db"));
  db.exec("pragma journal_mode = wal; pragma synchronous = full; create table t (v text)");
  const insert = db.prepare("insert into t values (?)");
  const times = Array.from({ length: 100 }, () => {
    const began = performance.now();
    insert.run("x".repeat(500));
    return performance.now() - began;
  }).sort((a, b) => a - b);
  db.close();
  rmSync(folder, { recursive: true });
  return percentile(times, 0.5);
}

console.log(describeMachine());
const generator = new MeasuredProcess(
  "the generator",
  fileURLToPath(new URL("./many-streams/generator.ts", import.meta.url)),
);
const [upstream] = await generator.says(/http:\/\/\S+/);
const product = await startProductServer({ MODEL_BASE_URL: upstream });
const agent = keepAliveAgent();
const person = await LoadClient.signUp(() => product.origin, product.codeFor);
const direct: number[] = [];
const through: number[] = [];
try {
  const body = JSON.stringify({ model: "bench", stream: true, messages: [{ role: "user", content: "Go" }] });
  const headers = { "content-type": "application/json" };
  for (let round = 0; round < rounds + warmUp; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    const plain = await firstStamp(() =>
      openCall(agent, `${upstream}/chat/completions`, { method: "POST", headers, body }),
    );
    await generator.ask({ finish: true }, "finished");
    await drained(plain.body);

    const session = await person.createSession();
    const proof = await person.proof();
    const request = { chat_session_id: session, prompt: "Go", client_stream_id: newStreamId() };
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    const full = await firstStamp(() => person.open("/api/v0/chat/completion", request, proof));
    await generator.ask({ finish: true }, "finished");
    await drained(full.body);
    if (round < warmUp) continue;
    direct.push(plain.ms);
    through.push(full.ms);
  }
} finally {
  person.close();
  agent.destroy();
  await product.close();
  await generator.end();
}
const added = through.map((ms, index) => ms - (direct[index] ?? 0)).sort((a, b) => a - b);
direct.sort((a, b) => a - b);
through.sort((a, b) => a - b);
const line = (name: string, times: readonly number[]): string =>
  `  ${name.padEnd(8)} p50 ${percentile(times, 0.5).toFixed(2)} ms, p90 ${percentile(times, 0.9).toFixed(2)}, p99 ${percentile(times, 0.99).toFixed(2)}`;
console.log(`first token, ${rounds} rounds`);
console.log(line("direct", direct));
console.log(line("product", through));
console.log(`${line("added", added)} (goal p50 ≤ 3 ms)`);
console.log(`  one durable commit on this disk: ${commitMs().toFixed(2)} ms; the product waits for two`);
