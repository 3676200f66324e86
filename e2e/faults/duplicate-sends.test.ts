// One message that reaches several processes many times at once, over connections that are cut, is one message.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../support/answer.ts";
import { LoadClient, newStreamId } from "../support/load-client.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { answerCalls, compareWithStore } from "./compare-with-store.ts";
import { type Replicas, startReplicas } from "./replicas.ts";
import { seededRandom, seedOfRun } from "./seeded-random.ts";

const rounds = process.env["TEST_LONG"] === "1" ? 200 : 4;
const timesSent = 50;
const seed = seedOfRun();
const random = seededRandom(seed);

let upstream: ScriptedUpstream;
let replicas: Replicas;
let person: LoadClient;

beforeAll(async () => {
  console.log(`duplicate sends: seed ${seed} (PLUMB_SEED)`);
  upstream = await startScriptedUpstream({
    scripts: [
      { tokens: 40, paceMs: 10 },
      { match: { kind: "title" }, answer: "A title" },
    ],
  });
  // Calls to the model are counted: on a busy machine no lease of a living process may lapse.
  replicas = await startReplicas(upstream, 3, { LEASE_TIMEOUT_MS: "10000", LEASE_RENEW_MS: "500" });
  person = await LoadClient.signUp(() => at(0).origin, replicas.codeFor);
}, 90_000);

afterAll(async () => {
  person?.close();
  await replicas?.close();
  await upstream?.close();
});

function at(index: number): ServerProcess {
  const server = replicas.servers[index % 3];
  if (server === undefined) throw new Error(`There is no server ${index}.`);
  return server;
}

/**
 * Sends over a connection that is cut `after` that many bytes of the answer. Resolves with the data of its `ready`, or
 * null when the answer ended before it, as that of the oldest of a user's many streams may.
 */
async function sendCut(client: LoadClient, body: Json, after: number): Promise<unknown> {
  const incoming = await client.open("/api/v0/chat/completion", body, await client.proof());
  expect(incoming.headers["content-type"]).toMatch(/^text\/event-stream/);
  let text = "";
  try {
    for await (const part of incoming) {
      text += (part as Buffer).toString("latin1");
      if (text.length >= after) break;
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  incoming.destroy();
  const [, data = "null"] = /^(?:id: 1\n)?event: ready\ndata: ([^\n]+)\n\n/.exec(text.slice(0, after)) ?? [];
  return JSON.parse(data) as unknown;
}

test(
  "one message sent fifty times at once, each answer cut at any byte and asked for again, is one message with one reply",
  { timeout: rounds * 30_000 + 60_000 },
  async () => {
    for (let round = 0; round < rounds; round += 1) {
      const sessionId = await person.createSession();
      const clientStreamId = newStreamId();
      const prompt = `the same ${round}`;
      const body = { chat_session_id: sessionId, prompt, client_stream_id: clientStreamId };
      const cut: unknown[] = [];
      const readers = await Promise.all(
        Array.from({ length: timesSent }, async (_, index) => {
          // Cut before its ids, it is sent and cut again.
          let ready: unknown = null;
          for (let target = index; ready === null; target += 1) {
            const client = person.at(() => at(target).origin);
            ready = await sendCut(client, body, Math.floor(random.between(1, 3000)));
          }
          cut.push(ready);
          return person.at(() => at(index + 1).origin).send({ sessionId, prompt, clientStreamId });
        }),
      );
      await Promise.all(readers.map((reader) => reader.done));
      const problems: string[] = [];
      for (const reader of readers) {
        if (reader.end !== "closed" && reader.end !== "full_message") problems.push(`ended as ${reader.end}`);
        const store = { db: replicas.db, upstream, mayBeDeleted: false };
        problems.push(...(await compareWithStore(reader, store)));
      }
      expect(problems, `round ${round}, seed ${seed}`).toEqual([]);

      // A hundred answers, and all name the same two messages.
      const ready = { request_message_id: 1, response_message_id: 2, model_type: "default" };
      expect(cut).toEqual(Array.from({ length: timesSent }, () => ready));
      const followed = readers.map(({ fullMessage, state }) =>
        fullMessage === null
          ? [state.requestMessageId, state.responseMessageId]
          : [fullMessage.parent_id, fullMessage.message_id],
      );
      expect(followed).toEqual(Array.from({ length: timesSent }, () => [1, 2]));
      expect(answerCalls(upstream.requests, prompt)).toHaveLength(1);
      const { chat_messages: messages } = await person.history(sessionId);
      expect(messages.map(({ message_id: id, role }) => [id, role])).toEqual([
        [1, "USER"],
        [2, "ASSISTANT"],
      ]);
    }
  },
);
