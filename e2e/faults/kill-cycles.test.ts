// The server is killed at random instants under load and started again on the same data; afterwards nothing that a
// client saw is lost, doubled or changed (invariants I1 to I8).
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pino } from "pino";
import { checkInvariants } from "../../server/src/operator/check-invariants.ts";
import { openSqlite } from "../../server/src/platform/database/open-sqlite.ts";
import { ConnectionLost } from "../support/http-call.ts";
import { LoadClient } from "../support/load-client.ts";
import type { ReplyReader } from "../support/reply-reader.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { ServerProcess } from "../support/server-process.ts";
import { compareWithStore } from "./compare-with-store.ts";
import { type Random, seededRandom, seedOfRun } from "./seeded-random.ts";

const cycles = Number(process.env["PLUMB_CYCLES"] ?? (process.env["TEST_LONG"] === "1" ? 200 : 20));
const streamsPerCycle = 20;
const people = 4;
const seed = seedOfRun();
const random = seededRandom(seed);

let upstream: ScriptedUpstream;
let server: ServerProcess;
let clients: LoadClient[];

beforeAll(async () => {
  upstream = await startScriptedUpstream({
    keepRequests: 100_000,
    scripts: [
      { tokens: 70, paceMs: 12 },
      { match: { user: "(thinking)" }, reasoning: 30, tokens: 50, paceMs: 12 },
      { match: { user: "(long)" }, tokens: 160, paceMs: 12 },
      { match: { kind: "title" }, answer: "A title" },
    ],
  });
  server = await ServerProcess.start({
    MODEL_BASE_URL: upstream.url,
    MODEL_CONTINUATION: "prefix",
    CONCURRENT_REPLIES: "1000",
    TAKEOVER_ATTEMPTS: "10",
    // Enough for all cycles: a quarter of all messages think.
    THINKING_QUOTA_PER_DAY: "1000000",
    LOG_LEVEL: "warn",
  });
  clients = await Promise.all(
    Array.from({ length: people }, () =>
      LoadClient.signUp(
        () => server.origin,
        (email) => server.codeFor(email),
      ),
    ),
  );
}, 60_000);

afterAll(async () => {
  for (const client of clients ?? []) client.close();
  await server?.kill9();
  await upstream?.close();
  if (server !== undefined) rmSync(server.dataDir, { recursive: true, force: true });
});

/** One session of the load: its replies, and what else was asked of it and answered. */
interface Conversation {
  client: LoadClient;
  sessionId: string;
  readers: ReplyReader[];
  deleteAsked: boolean;
  deleteAnswered: boolean;
  /** Titles given by hand, in the order of asking; those that were answered. */
  titles: { title: string; answered: boolean }[];
  /** A stop that was answered: the reply may not be running afterwards. */
  stopAnswered: boolean;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/** A request that the kill may cut: true when it was answered. */
async function answered(request: Promise<{ code: number; biz: { code: number } | null }>): Promise<boolean> {
  try {
    const { code, biz } = await request;
    return code === 0 && biz?.code === 0;
  } catch (error) {
    if (error instanceof ConnectionLost) return false;
    throw error;
  }
}

/** Begins one conversation and everything that will be done to it. */
function converse(client: LoadClient, sessionId: string, name: string, chance: Random) {
  const conversation: Conversation = {
    client,
    sessionId,
    readers: [],
    deleteAsked: false,
    deleteAnswered: false,
    titles: [],
    stopAnswered: false,
  };
  const acts: Promise<void>[] = [];
  const later = (act: () => Promise<void>, withinMs = 900): void => {
    acts.push(sleep(chance.between(0, withinMs)).then(act));
  };
  const kind = chance.pick(["", "", " (thinking)", " (long)"]);
  const withPosition = chance.next();
  const options = {
    sessionId,
    prompt: `${name}${kind}`,
    thinking: kind === " (thinking)",
    withLastEventId: () => random.chance(withPosition),
    retryMs: 60,
  };
  later(
    async () => {
      const first = client.send(options);
      conversation.readers.push(first);
      if (chance.chance(0.25)) {
        const clientStreamId = first.options.clientStreamId ?? "";
        conversation.readers.push(client.send({ ...options, clientStreamId }));
      }
      // Most are in the middle of their replies when the kill comes, some just begin.
    },
    chance.pick([50, 50, 50, 900]),
  );
  if (chance.chance(0.2)) {
    later(async () => conversation.readers.forEach((reader) => reader.drop()));
  }
  if (chance.chance(0.2)) {
    later(async () => {
      const title = `Title ${chance.next()}`;
      const entry = { title, answered: false };
      conversation.titles.push(entry);
      entry.answered = await answered(client.rename(sessionId, title));
    });
  }
  if (chance.chance(0.15)) {
    later(async () => {
      if (!conversation.readers.some((reader) => reader.ready)) return;
      conversation.stopAnswered = await answered(client.stop(sessionId));
    });
  }
  if (chance.chance(0.1)) {
    later(async () => {
      conversation.deleteAsked = true;
      conversation.deleteAnswered = await answered(client.delete(sessionId));
    });
  }
  return { conversation, begun: Promise.all(acts) };
}

async function verify(conversations: Conversation[]): Promise<string[]> {
  const db = openSqlite({ dataDir: server.dataDir, log: pino({ level: "silent" }), exclusive: false });
  try {
    const sessions = conversations.map(({ sessionId }) => sessionId);
    const { violations } = await checkInvariants(db, { serverRuns: true, sessions });
    const problems = violations.map(({ invariant, where, what }) => `${invariant} ${where}: ${what}`);
    for (const conversation of conversations) {
      const { readers, deleteAsked, deleteAnswered, sessionId, titles } = conversation;
      for (const reader of readers) {
        const { prompt } = reader.options;
        if (reader.end === "given_up") problems.push(`“${prompt}” never came to its end`);
        if (reader.end === "refused") {
          problems.push(`“${prompt}” was refused: ${JSON.stringify(reader.refusal)}`);
        }
        if (reader.end === "gone" && !deleteAsked) problems.push(`“${prompt}” is gone`);
        problems.push(...(await compareWithStore(reader, { db, upstream, mayBeDeleted: deleteAsked })));
      }
      const session = await db.kysely
        .selectFrom("sessions")
        .select(["title", "title_type", "deleted_at"])
        .where("id", "=", sessionId)
        .executeTakeFirst();
      if (deleteAnswered && session?.deleted_at === null)
        problems.push(`${sessionId} is back after its deletion`);
      const given = titles.at(-1);
      if (given?.answered === true && session?.deleted_at === null && session.title !== given.title) {
        problems.push(`${sessionId} lost its title ${given.title}: it is ${session.title}`);
      }
      if (conversation.stopAnswered && readers.some((reader) => reader.end === "given_up")) {
        problems.push(`${sessionId} was stopped and goes on`);
      }
    }
    return problems;
  } finally {
    await db.close();
  }
}

test(
  `${cycles} kills at random instants under load leave every invariant whole`,
  { timeout: cycles * 30_000 },
  async () => {
    console.log(`kill cycles: seed ${seed} (PLUMB_SEED)`);
    let resumed = 0;
    let deltas = 0;
    let takenOver = 0;
    const slowest: number[] = [];
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const prepared = await Promise.all(
        Array.from({ length: streamsPerCycle }, async (_, index) => {
          const client = clients[index % people];
          if (client === undefined) throw new Error("no client");
          return { client, sessionId: await client.createSession(), name: `cycle ${cycle} stream ${index}` };
        }),
      );
      const load = prepared.map(({ client, sessionId, name }) => converse(client, sessionId, name, random));
      await sleep(random.between(100, 1000));
      await server.kill9();
      const killedAt = performance.now();
      await server.restart();
      slowest.push(performance.now() - killedAt);
      await Promise.all(load.map(({ begun }) => begun));
      const conversations = load.map(({ conversation }) => conversation);
      await Promise.all(conversations.flatMap(({ readers }) => readers.map((reader) => reader.done)));
      const problems = await verify(conversations);
      expect(problems, `seed ${seed}, cycle ${cycle}\n${server.output.slice(-3000)}`).toEqual([]);
      const readers = conversations.flatMap((conversation) => conversation.readers);
      resumed += readers.filter((reader) => reader.responses > 1).length;
      deltas += readers.reduce((sum, reader) => sum + reader.events.size, 0);
      takenOver += new Set(
        readers
          .map(({ options }) => options.prompt)
          .filter((prompt) => {
            const calls = upstream.requests.filter((call) => call.question === prompt);
            return calls.some((call) => call.kind === "continuation");
          }),
      ).size;
    }
    // A run that resumed or continued almost nothing has proved nothing.
    expect(resumed).toBeGreaterThan(cycles * 3);
    expect(takenOver).toBeGreaterThan(cycles * 2);
    console.log(
      `kill cycles: ${cycles} kills, ${resumed} readers resumed, ${takenOver} replies continued, ${deltas} events seen; ` +
        `restart ${Math.round(Math.max(...slowest))} ms at most`,
    );
  },
);
