// A server is killed while replies plan, search, read and answer, and started again on the same data, or another one is
// there: each reply goes on with the step that was not done, and no query that was answered is asked again.
import { rmSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { isFragment, type SearchFragment } from "@plumb/protocol/conversation/fragment";
import { LoadClient } from "../support/load-client.ts";
import type { ReplyReader } from "../support/reply-reader.ts";
import { type ScriptedSearxng, startScriptedSearxng } from "../support/scripted-searxng.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { ServerProcess } from "../support/server-process.ts";
import { startReplicas } from "./replicas.ts";
import { seededRandom, seedOfRun } from "./seeded-random.ts";

const cycles = process.env["TEST_LONG"] === "1" ? 20 : 3;
const repliesPerCycle = 6;
const seed = seedOfRun();
const random = seededRandom(seed);

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Servers of which one is killed while replies run, and what they ask. */
interface World {
  upstream: ScriptedUpstream;
  search: ScriptedSearxng;
  client: LoadClient;
  /** Kills the one that people speak to; where there is another they speak to that from now on. */
  kill(): Promise<void>;
  /** Starts what was killed. */
  restart(): Promise<void>;
  hasOther: boolean;
  output(): string;
}

const settings = { MODEL_CONTINUATION: "prefix", CONCURRENT_REPLIES: "1000", TAKEOVER_ATTEMPTS: "10" };

async function startOutside() {
  const upstream = await startScriptedUpstream({
    keepRequests: 100_000,
    scripts: [
      { tokens: 40, paceMs: 10 },
      { match: { kind: "title" }, answer: "A title" },
    ],
  });
  closing.push(() => upstream.close());
  const search = await startScriptedSearxng();
  closing.push(() => search.close());
  // Some queries of a reply are answered before the kill, others not.
  search.delay = () => random.between(20, 700);
  return { upstream, search };
}

/** One server, which is started again. */
async function oneServer(): Promise<World> {
  const { upstream, search } = await startOutside();
  const server = await ServerProcess.start({
    MODEL_BASE_URL: upstream.url,
    LOG_LEVEL: "warn",
    ...settings,
    ...search.settings,
  });
  closing.push(async () => {
    await server.kill9();
    rmSync(server.dataDir, { recursive: true, force: true });
  });
  const client = await LoadClient.signUp(
    () => server.origin,
    (email) => server.codeFor(email),
  );
  closing.push(() => client.close());
  return {
    upstream,
    search,
    client,
    kill: () => server.kill9(),
    restart: () => server.restart(),
    hasOther: false,
    output: () => server.output,
  };
}

/** Two replicas, of which the other one takes over. */
async function twoReplicas(): Promise<World> {
  const { upstream, search } = await startOutside();
  const replicas = await startReplicas(upstream, 2, { ...settings, ...search.settings });
  closing.push(() => replicas.close());
  const [first, second] = replicas.servers;
  if (first === undefined || second === undefined) throw new Error("There are no replicas.");
  let [speaking, other] = [first, second];
  const client = await LoadClient.signUp(() => speaking.origin, replicas.codeFor);
  closing.push(() => client.close());
  return {
    upstream,
    search,
    client,
    async kill() {
      await speaking.kill9();
      [speaking, other] = [other, speaking];
    },
    restart: () => other.restart(),
    hasOther: true,
    output: () => speaking.output,
  };
}

function searchOf(reader: ReplyReader): SearchFragment | undefined {
  const message = reader.fullMessage ?? reader.state.message;
  return message?.fragments.find((part): part is SearchFragment => isFragment(part, "SEARCH"));
}

/** Queries that a reader has seen answered. */
const answeredOf = (reader: ReplyReader): string[] =>
  (searchOf(reader)?.queries ?? []).filter(({ status }) => status === "FINISHED").map(({ query }) => query);

test.each([
  ["of a server that is started again", oneServer],
  ["of one of two replicas", twoReplicas],
] as const)(
  `${cycles} kills in the middle of searching, %s: every reply comes to its end, and no search is done twice`,
  { timeout: 90_000 + cycles * 30_000 },
  async (which, start) => {
    console.log(`search kills ${which}: seed ${seed} (PLUMB_SEED)`);
    const { upstream, search, client, kill, restart, hasOther, output } = await start();
    let known = 0;
    let askedAgain = 0;
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const prompts = Array.from({ length: repliesPerCycle }, (_, index) => `cycle ${cycle} reply ${index}`);
      const planned = (prompt: string) => ["a", "b", "c"].map((letter) => `${prompt} ${letter}`);
      for (const prompt of prompts)
        upstream.script({ match: { kind: "plan", user: prompt }, answer: JSON.stringify(planned(prompt)) });
      const readers = await Promise.all(
        prompts.map(async (prompt) =>
          client.send({ sessionId: await client.createSession(), prompt, search: true, retryMs: 60 }),
        ),
      );
      // Early in one cycle, late in another: few know anything then, or all is done.
      const share = 750 / cycles;
      await sleep(random.between(150 + (cycle - 1) * share, 150 + cycle * share));
      const answered = readers.flatMap(answeredOf);
      await kill();
      // What it had asked for is on its way for a moment more; nobody takes its replies over within that.
      await sleep(100);
      const before = search.asked.length;
      if (!hasOther) await restart();
      await Promise.all(readers.map((reader) => reader.done));
      if (hasOther) await restart();

      const after = search.asked.slice(before).map(({ query }) => query);
      const where = `seed ${seed}, cycle ${cycle}\n${output().slice(-2000)}`;
      expect(
        after.filter((query) => answered.includes(query)),
        where,
      ).toEqual([]);
      expect(new Set(after).size, where).toBe(after.length);
      known += answered.length;
      askedAgain += after.length;
      for (const [index, reader] of readers.entries()) {
        const prompt = prompts[index] ?? "";
        expect([reader.end, reader.problems], where).toEqual([
          expect.stringMatching(/closed|full_message/),
          [],
        ]);
        const stored = (await client.history(reader.options.sessionId)).chat_messages[1];
        expect(stored?.status, where).toBe("FINISHED");
        expect(
          stored?.fragments.map(({ type }) => type),
          where,
        ).toEqual(["SEARCH", "RESPONSE"]);
        const found = stored?.fragments[0] as SearchFragment;
        expect(
          found.queries.map(({ query, status }) => [query, status]),
          where,
        ).toEqual(planned(prompt).map((query) => [query, "FINISHED"]));
        expect(
          found.results.map(({ cite_index }) => cite_index),
          where,
        ).toEqual([1, 2, 3]);
        expect(new Set(found.results.map(({ url }) => url)).size, where).toBe(3);
        expect(searchOf(reader), where).toEqual(found);
      }
    }
    // A run in which nothing was known before a kill, or nothing was left to do, has proved nothing.
    expect(known).toBeGreaterThan(0);
    expect(askedAgain).toBeGreaterThan(0);
    console.log(
      `search kills ${which}: ${cycles} kills, ${known} queries answered before them, ${askedAgain} asked after`,
    );
  },
);
