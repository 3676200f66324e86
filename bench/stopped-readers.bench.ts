// Readers that ask for large answers and take nothing: what a hundred of them cost in memory and in stalls of the event
// loop, at the product and at a bare Node process that pipes a file. See README.md.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LoadClient, newStreamId } from "../e2e/support/load-client.ts";
import { describeMachine } from "./support/machine.ts";
import { MeasuredProcess } from "./support/measured-process.ts";
import { startProductServer } from "./support/product-server.ts";

const readers = Number(process.env["PLUMB_READERS"] ?? 100);
const megabytes = Number(process.env["PLUMB_MB"] ?? 8);
/** One person has at most eight large answers, or streams of one reply, open at once (wire-contract.md §1.9). */
const readersPerPerson = 8;
const goalMb = 64;
const goalStallMs = 50;

interface Ask {
  head: string;
  body: string;
}

/** Asks and reads nothing of the answer. */
async function stoppedReader(origin: string, { head, body }: Ask): Promise<Socket> {
  const { port } = new URL(origin);
  const socket = connect(Number(port), "127.0.0.1");
  socket.on("error", () => {});
  socket.pause();
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  const length = body === "" ? "" : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  socket.write(`${head}\r\nHost: plumb\r\n${length}\r\n${body}`);
  return socket;
}

/** Opens a reader for each ask and prints what they cost together. Returns the megabytes. */
async function measure(
  name: string,
  server: MeasuredProcess,
  origin: string,
  asks: readonly Ask[],
): Promise<{ addedMb: number; stallMs: number }> {
  // One that is read and dropped first, so that code and connections are warm.
  for (const ask of asks.slice(0, 2)) {
    const warm = await stoppedReader(origin, ask);
    await sleep(500);
    warm.destroy();
  }
  await sleep(1000);
  await server.collect();
  const before = await server.read(true);
  const sockets = [];
  for (const ask of asks) sockets.push(await stoppedReader(origin, ask));
  let peak = 0;
  for (let look = 0; look < 30; look += 1) {
    await sleep(100);
    peak = Math.max(peak, (await server.read()).rssBytes);
  }
  const after = await server.read();
  for (const socket of sockets) socket.destroy();
  await sleep(500);
  const addedMb = (peak - before.rssBytes) / 2 ** 20;
  const stallMs = after.loopDelayMs.max;
  const cpuMs = (after.cpuMicros - before.cpuMicros) / 1000;
  console.log(
    `  ${name.padEnd(34)} ${asks.length} readers add ${addedMb.toFixed(0).padStart(4)} MB, longest stall ${stallMs.toFixed(0).padStart(3)} ms, CPU ${cpuMs.toFixed(0)} ms`,
  );
  return { addedMb, stallMs };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

console.log(describeMachine());
const folder = mkdtempSync(join(tmpdir(), "plumb-bench-"));
const file = join(folder, "answer");
writeFileSync(file, Buffer.alloc(megabytes * 2 ** 20, "a"));
const pipe = new MeasuredProcess(
  "the reference",
  fileURLToPath(new URL("./stopped-readers/file-pipe.ts", import.meta.url)),
  { env: { ANSWER_FILE: file } },
);
const model = new MeasuredProcess(
  "the model",
  fileURLToPath(new URL("./stopped-readers/long-answer.ts", import.meta.url)),
  { env: { PLUMB_MB: String(megabytes) } },
);
const [pipeOrigin] = await pipe.says(/http:\/\/\S+/);
const [upstream] = await model.says(/http:\/\/\S+/);
const product = await startProductServer({ MODEL_BASE_URL: upstream });
const people: LoadClient[] = [];
try {
  const repeats: Ask[] = [];
  const histories: Ask[] = [];
  while (repeats.length < readers) {
    const person = await LoadClient.signUp(() => product.origin, product.codeFor);
    people.push(person);
    const session = await person.createSession();
    const request = { chat_session_id: session, prompt: "Go", client_stream_id: newStreamId() };
    const reply = await person.open("/api/v0/chat/completion", request, await person.proof());
    for await (const _part of reply);
    const authorization = `Authorization: Bearer ${person.token}`;
    for (let own = 0; own < readersPerPerson && repeats.length < readers; own += 1) {
      repeats.push({
        head: `POST /api/v0/chat/completion HTTP/1.1\r\n${authorization}`,
        body: JSON.stringify(request),
      });
      histories.push({
        head: `GET /api/v0/chat/history_messages?chat_session_id=${session} HTTP/1.1\r\n${authorization}`,
        body: "",
      });
    }
  }
  console.log(`${readers} unread answers of ${megabytes} MB each`);
  const plain = repeats.map(() => ({ head: "GET / HTTP/1.1", body: "" }));
  await measure("bare Node, createReadStream().pipe()", pipe, pipeOrigin, plain);
  const results = [
    await measure("product, histories", product.process, product.origin, histories),
    await measure("product, repeats of an ended reply", product.process, product.origin, repeats),
  ];
  const met = results.every(({ addedMb, stallMs }) => addedMb <= goalMb && stallMs <= goalStallMs);
  console.log(`  goal: ≤ ${goalMb} MB added, no stall over ${goalStallMs} ms: ${met ? "met" : "NOT MET"}`);
} finally {
  for (const person of people) person.close();
  await product.close();
  await model.end();
  await pipe.end();
  rmSync(folder, { recursive: true });
}
