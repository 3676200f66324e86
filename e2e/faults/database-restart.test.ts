// The database stops and starts again while three processes answer: nothing is lost, nothing is doubled.
import { afterAll, beforeAll, expect, test } from "vitest";
import { LoadClient } from "../support/load-client.ts";
import type { ReplyReader } from "../support/reply-reader.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { type Replicas, startReplicas } from "./replicas.ts";
import { seededRandom, seedOfRun } from "./seeded-random.ts";
import { storedStatuses, until, verifyReplies } from "./verify-replies.ts";

const rounds = process.env["TEST_LONG"] === "1" ? 10 : 2;
const streamsPerServer = 3;
const seed = seedOfRun();
const random = seededRandom(seed);

let upstream: ScriptedUpstream;
let replicas: Replicas;
let people: LoadClient[];

beforeAll(async () => {
  console.log(`database restarts: seed ${seed} (PLUMB_SEED)`);
  upstream = await startScriptedUpstream({
    scripts: [
      { tokens: 120, paceMs: 15 },
      { match: { user: "(thinking)" }, reasoning: 60, tokens: 60, paceMs: 15 },
      { match: { kind: "title" }, answer: "A title" },
    ],
  });
  // Every restart beyond the lease is a take-over, and on a busy machine a living process loses one, too.
  replicas = await startReplicas(upstream, 3, { TAKEOVER_ATTEMPTS: "10" });
  const [first] = replicas.servers;
  if (first === undefined) throw new Error("There is no server.");
  const person = await LoadClient.signUp(() => first.origin, replicas.codeFor);
  people = replicas.servers.map((server) => person.at(() => server.origin));
}, 90_000);

afterAll(async () => {
  for (const person of people ?? []) person.close();
  await replicas?.close();
  await upstream?.close();
});

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test(
  "the database stops in mid-reply and starts again: every reply ends whole, and every message is there once",
  { timeout: rounds * 60_000 + 60_000 },
  async () => {
    for (let round = 0; round < rounds; round += 1) {
      const readers: ReplyReader[] = [];
      const send = async (person: LoadClient, what: string, sessionId?: string): Promise<void> => {
        const thinking = readers.length % 2 === 1;
        const reader = person.send({
          sessionId: sessionId ?? (await person.createSession()),
          prompt: `restart ${round} ${what}${thinking ? " (thinking)" : ""}`,
          thinking,
        });
        readers.push(reader);
      };
      for (let index = 0; index < streamsPerServer; index += 1) {
        for (const [place, person] of people.entries()) await send(person, `stream ${place}.${index}`);
      }
      const later = await Promise.all(people.map((person) => person.createSession()));
      await until(() => readers.every(({ state, end }) => state.message !== null || end !== null));
      await sleep(random.between(0, 500));

      const running = readers.filter(({ end }) => end === null);
      expect(running.length, "replies that the database leaves").toBeGreaterThan(0);
      await replicas.postgres.halt(round % 2 === 0 ? "orderly" : "crash");
      for (const [place, person] of people.entries()) await send(person, `away ${place}`, later[place]);
      // Within the lease of 600 ms or beyond it.
      await sleep(random.between(100, 1500));
      await replicas.postgres.resume();

      await verifyReplies(replicas, upstream, readers, `round ${round}, seed ${seed}`);
      expect(await storedStatuses(replicas, readers)).toEqual(["FINISHED"]);
      for (const server of replicas.servers) expect(server.running).toBe(true);
    }
  },
);
