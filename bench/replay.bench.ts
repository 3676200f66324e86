// How fast a running reply is shown to one who comes back: from an early event, and as a whole. See README.md.
import type { IncomingMessage } from "node:http";
import { LoadClient } from "../e2e/support/load-client.ts";
import { startScriptedUpstream } from "../e2e/support/scripted-upstream.ts";
import { describeMachine } from "./support/machine.ts";
import { percentile } from "./support/percentile.ts";
import { startProductServer } from "./support/product-server.ts";

const rounds = Number(process.env["PLUMB_ROUNDS"] ?? 100);
const warmUp = 10;
const tokens = Number(process.env["PLUMB_TOKENS"] ?? 4000);
const readersAtOnce = 4;
/** Before its end the reply stands still: so many characters. */
const held = 10;

/** Reads until the event `last` has come whole, and leaves. */
async function readTo(body: IncomingMessage, last: number): Promise<void> {
  let tail = "";
  for await (const part of body) {
    tail = tail.slice(-64) + (part as Buffer).toString("latin1");
    const at = tail.lastIndexOf(`id: ${last}\n`);
    if (at >= 0) tail = tail.slice(at);
    if (at >= 0 && tail.includes("\n\n")) {
      body.destroy();
      return;
    }
  }
  throw new Error(`A reader was ended before event ${last}.`);
}

console.log(describeMachine());
const answer = Array.from({ length: tokens }, (_none, index) => `word${index % 1000} `).join("");
const upstream = await startScriptedUpstream({
  scripts: [
    { answer, paceMs: 2, fault: { kind: "stall", at: answer.length - held } },
    { match: { kind: "title" }, answer: "A title" },
  ],
});
const server = await startProductServer({ MODEL_BASE_URL: upstream.url });
try {
  const person = await LoadClient.signUp(
    () => server.origin,
    (email) => server.codeFor(email),
  );
  const sessionId = await person.createSession();
  const reader = person.send({ sessionId, prompt: "Go", limitMs: 600_000 });
  while (reader.textOf("RESPONSE").length < answer.length - held) {
    if (reader.end !== null) throw new Error(`The reply ended as ${reader.end}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const last = reader.state.lastEventId;
  const body = { chat_session_id: sessionId, message_id: reader.state.responseMessageId };

  /** Milliseconds until all that is known of the reply has come. */
  async function resume(from: number | null): Promise<number> {
    const began = performance.now();
    const position = from === null ? {} : { "last-event-id": String(from) };
    await readTo(await person.open("/api/v0/chat/resume_stream", body, position), last);
    return performance.now() - began;
  }

  async function report(name: string, from: number | null, readers: number): Promise<void> {
    const times: number[] = [];
    for (let round = 0; round < warmUp + rounds; round += 1) {
      const began = performance.now();
      await Promise.all(Array.from({ length: readers }, () => resume(from)));
      if (round >= warmUp) times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    const p50 = percentile(times, 0.5);
    const events = from === null ? 1 : (last - from) * readers;
    const perSecond = from === null ? "" : `, ${Math.round((events / p50) * 1000)} events/s`;
    console.log(
      `  ${name.padEnd(34)} p50 ${p50.toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms${perSecond}`,
    );
  }

  console.log(
    `a running reply of ${(answer.length / 1024).toFixed(0)} KB in ${last} events, ${rounds} rounds`,
  );
  await report("from the first event, one reader", 1, 1);
  await report(`from the first event, ${readersAtOnce} at once`, 1, readersAtOnce);
  await report("as a whole, one reader", null, 1);
  upstream.release();
  await reader.done;
  person.close();
} finally {
  await server.close();
  await upstream.close();
}
