// The readers of the benchmark: opens streams through the product or the pipe and notes when each stamp arrived.
import type { IncomingMessage } from "node:http";
import { LIMITS } from "@plumb/protocol/limits";
import { keepAliveAgent, openCall } from "../../e2e/support/http-call.ts";
import { LoadClient, newStreamId } from "../../e2e/support/load-client.ts";
import { percentile } from "../support/percentile.ts";

const STALL_MS = 1000;
const OPEN_AT_ONCE = 16;
const STREAMS_PER_PERSON = LIMITS.openStreams;

let latencies: number[] = [];
let measuring = false;
let arrived = 0;
let stalls = 0;
let bytes = 0;
let chunks = 0;
let ended = 0;

const microsNow = (): number => Number(process.hrtime.bigint() / 1000n);

function follow(body: IncomingMessage): void {
  let last = performance.now();
  let rest = "";
  body.on("data", (part: Buffer) => {
    const now = performance.now();
    const atMicros = microsNow();
    if (measuring) {
      if (now - last > STALL_MS) stalls += 1;
      bytes += part.length;
      chunks += 1;
    }
    last = now;
    const text = rest + part.toString("latin1");
    let from = 0;
    for (let start = text.indexOf("~"); start >= 0; start = text.indexOf("~", from)) {
      const end = text.indexOf(" ", start);
      if (end < 0) break;
      arrived += 1;
      if (measuring) latencies.push(atMicros - Number.parseInt(text.slice(start + 1, end), 36));
      from = end + 1;
    }
    const open = text.indexOf("~", from);
    rest = open < 0 ? "" : text.slice(open);
  });
  body.on("end", () => (ended += 1));
  body.on("error", () => (ended += 1));
}

async function openPipe(origin: string, count: number): Promise<void> {
  const agent = keepAliveAgent();
  const body = JSON.stringify({ model: "bench", stream: true, messages: [{ role: "user", content: "Go" }] });
  const headers = { "content-type": "application/json" };
  await inTurns(count, async () => follow(await openCall(agent, origin, { method: "POST", headers, body })));
}

async function openProduct(origin: string, codes: string, count: number): Promise<void> {
  const { readFileSync } = await import("node:fs");
  const codeFor = (email: string): string => {
    const lines = readFileSync(codes, "utf8").trim().split("\n");
    const mail = lines
      .map((line) => JSON.parse(line) as { to: string; code: string })
      .find(({ to }) => to === email);
    if (mail === undefined) throw new Error(`The outbox holds no code for ${email}.`);
    return mail.code;
  };
  // A user has only so many open streams.
  const people: LoadClient[] = [];
  for (let left = count; left > 0; left -= STREAMS_PER_PERSON) {
    people.push(await LoadClient.signUp(() => origin, codeFor));
  }
  let opened = 0;
  await inTurns(count, async () => {
    const person = people[opened++ % people.length];
    if (person === undefined) throw new Error("Nobody signed up.");
    const sessionId = await person.createSession();
    const proof = await person.proof();
    const request = { chat_session_id: sessionId, prompt: "Go", client_stream_id: newStreamId() };
    const answer = await person.open("/api/v0/chat/completion", request, proof);
    if (!String(answer.headers["content-type"]).startsWith("text/event-stream")) {
      throw new Error(`A message was refused with status ${answer.statusCode}.`);
    }
    follow(answer);
  });
}

async function inTurns(count: number, open: () => Promise<void>): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: OPEN_AT_ONCE }, async () => {
      while (left > 0) {
        left -= 1;
        await open();
      }
    }),
  );
}

type Command =
  | { open: "pipe"; origin: string; count: number }
  | { open: "product"; origin: string; codes: string; count: number }
  | { measure: true }
  | { result: true }
  | { totals: true };

process.on("message", (command: Command) => {
  if ("open" in command) {
    const opening =
      command.open === "pipe"
        ? openPipe(command.origin, command.count)
        : openProduct(command.origin, command.codes, command.count);
    opening.then(
      () => process.send?.({ opened: command.count }),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  } else if ("measure" in command) {
    latencies = [];
    measuring = true;
    process.send?.({ measuring: true });
  } else if ("result" in command) {
    measuring = false;
    const sorted = Float64Array.from(latencies).sort();
    process.send?.({
      result: {
        events: sorted.length,
        p50Ms: percentile(sorted, 0.5) / 1000,
        p99Ms: percentile(sorted, 0.99) / 1000,
        maxMs: (sorted.at(-1) ?? Number.NaN) / 1000,
        stalls,
        bytes,
        chunks,
      },
    });
  } else if ("totals" in command) process.send?.({ totals: { arrived, ended } });
});
// Commands come over the channel; without it the program ends.
setInterval(() => {}, 60_000);
process.on("disconnect", () => process.exit(0));
