// Three processes behind a balancer leave and come back one after another, as in an upgrade: nobody notices.
import { Agent } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Balancer, startBalancer } from "../support/balancer.ts";
import { LoadClient } from "../support/load-client.ts";
import type { ReplyReader } from "../support/reply-reader.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { type Replicas, startReplicas } from "./replicas.ts";
import { seededRandom, seedOfRun } from "./seeded-random.ts";
import { storedStatuses, until, verifyReplies } from "./verify-replies.ts";

const rounds = process.env["TEST_LONG"] === "1" ? 10 : 1;
/** Each over a kept connection, one request after the other. */
const callers = 6;
const talkers = 6;
const seed = seedOfRun();
const random = seededRandom(seed);

let upstream: ScriptedUpstream;
let replicas: Replicas;
let balancer: Balancer;
let person: LoadClient;

beforeAll(async () => {
  console.log(`rolling restarts: seed ${seed} (PLUMB_SEED)`);
  upstream = await startScriptedUpstream({
    scripts: [
      { tokens: 90, paceMs: 15 },
      { match: { user: "(thinking)" }, reasoning: 50, tokens: 40, paceMs: 15 },
      { match: { kind: "title" }, answer: "A title" },
    ],
  });
  // A balancer on a busy machine needs its time to see that a process leaves.
  replicas = await startReplicas(upstream, 3, { DRAIN_MS: "3000" });
  balancer = await startBalancer(replicas.servers.map(({ port }) => port));
  person = await LoadClient.signUp(() => balancer.origin, replicas.codeFor);
}, 90_000);

afterAll(async () => {
  person?.close();
  await balancer?.close();
  await replicas?.close();
  await upstream?.close();
});

test(
  "three processes are restarted one after another under load: no request fails and no reply is cut",
  { timeout: rounds * 120_000 + 60_000 },
  async () => {
    let leaving = false;
    let calls = 0;
    const failed: string[] = [];
    const readers: ReplyReader[] = [];
    const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

    /** Reads and writes over one connection that is kept as long as the server keeps it. */
    async function callOn(index: number): Promise<void> {
      const client = person.over(new Agent({ keepAlive: true, maxSockets: 1 }));
      try {
        const sessionId = await client.createSession();
        while (!leaving) {
          for (const [path, body] of [
            ["/api/v0/chat_session/fetch_page?count=20"],
            [`/api/v0/chat/history_messages?chat_session_id=${sessionId}`],
            ["/api/v0/chat_session/update_title", { chat_session_id: sessionId, title: `Title ${calls}` }],
          ] as const) {
            calls += 1;
            const answer = await client.call(path, body);
            if (answer.biz?.code !== 0) failed.push(`${path}: ${JSON.stringify(answer)}`);
          }
          await sleep(random.between(0, 30));
        }
      } catch (error) {
        failed.push(`caller ${index}: ${String(error)}`);
      } finally {
        client.close();
      }
    }

    /** One message after the other, each over connections of its own; each reply is read to its end. */
    async function talk(index: number): Promise<void> {
      const client = person.over(new Agent());
      for (let message = 0; !leaving; message += 1) {
        const thinking = message % 2 === 1;
        const prompt = `rolling ${index}.${message}${thinking ? " (thinking)" : ""}`;
        const reader = client.send({ sessionId: await client.createSession(), prompt, thinking });
        readers.push(reader);
        await reader.done;
      }
    }

    const load = [
      ...Array.from({ length: callers }, (_, index) => callOn(index)),
      ...Array.from({ length: talkers }, (_, index) => talk(index)),
    ];
    try {
      for (let round = 0; round < rounds; round += 1) {
        for (const server of replicas.servers) {
          const [before, replies] = [calls, readers.length];
          await until(() => calls > before + callers && readers.length > replies, 30_000);
          expect(await server.term()).toBe(0);
          await server.restart();
          await until(() => balancer.ready().includes(server.port), 30_000);
        }
      }
    } finally {
      leaving = true;
      await Promise.allSettled(load);
    }
    await Promise.all(load);
    expect(failed, `of ${calls} calls, seed ${seed}`).toEqual([]);
    expect(readers.flatMap(({ refusal }) => refusal ?? [])).toEqual([]);
    await verifyReplies(replicas, upstream, readers, `seed ${seed}`);
    expect(await storedStatuses(replicas, readers)).toEqual(["FINISHED"]);
    console.log(`${calls} calls, ${readers.length} replies`);
  },
);
