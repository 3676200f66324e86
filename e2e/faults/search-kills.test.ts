// The server is killed while replies plan, search, read and answer, and started again on the same data: each goes on with
// the step that was not done, and no query that was answered is asked again.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isFragment, type SearchFragment } from "@plumb/protocol/conversation/fragment";
import { LoadClient } from "../support/load-client.ts";
import type { ReplyReader } from "../support/reply-reader.ts";
import { type ScriptedSearxng, startScriptedSearxng } from "../support/scripted-searxng.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { ServerProcess } from "../support/server-process.ts";
import { seededRandom, seedOfRun } from "./seeded-random.ts";

const cycles = process.env["TEST_LONG"] === "1" ? 20 : 4;
const repliesPerCycle = 6;
const seed = seedOfRun();
const random = seededRandom(seed);

let upstream: ScriptedUpstream;
let search: ScriptedSearxng;
let server: ServerProcess;
let client: LoadClient;

beforeAll(async () => {
  upstream = await startScriptedUpstream({
    keepRequests: 100_000,
    scripts: [
      { tokens: 40, paceMs: 10 },
      { match: { kind: "title" }, answer: "A title" },
    ],
  });
  search = await startScriptedSearxng();
  // Some queries of a reply are answered before the kill, others not.
  search.delayMs = () => random.between(20, 700);
  server = await ServerProcess.start({
    MODEL_BASE_URL: upstream.url,
    MODEL_CONTINUATION: "prefix",
    CONCURRENT_REPLIES: "1000",
    TAKEOVER_ATTEMPTS: "10",
    LOG_LEVEL: "warn",
    ...search.settings,
  });
  client = await LoadClient.signUp(
    () => server.origin,
    (email) => server.codeFor(email),
  );
}, 60_000);

afterAll(async () => {
  client?.close();
  await server?.kill9();
  await upstream?.close();
  await search?.close();
  if (server !== undefined) rmSync(server.dataDir, { recursive: true, force: true });
});

function searchOf(reader: ReplyReader): SearchFragment | undefined {
  const message = reader.fullMessage ?? reader.state.message;
  return message?.fragments.find((part): part is SearchFragment => isFragment(part, "SEARCH"));
}

/** Queries that a reader has seen answered. */
const answeredOf = (reader: ReplyReader): string[] =>
  (searchOf(reader)?.queries ?? []).filter(({ status }) => status === "FINISHED").map(({ query }) => query);

test(
  `${cycles} kills in the middle of searching: every reply comes to its end, and no search is done twice`,
  { timeout: cycles * 30_000 },
  async () => {
    console.log(`search kills: seed ${seed} (PLUMB_SEED)`);
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
      await new Promise((resolve) => setTimeout(resolve, random.between(150, 900)));
      const answered = readers.flatMap(answeredOf);
      await server.kill9();
      const before = search.asked.length;
      await server.restart();
      await Promise.all(readers.map((reader) => reader.done));

      const after = search.asked.slice(before).map(({ query }) => query);
      const where = `seed ${seed}, cycle ${cycle}\n${server.output.slice(-2000)}`;
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
    expect(known).toBeGreaterThan(cycles);
    expect(askedAgain).toBeGreaterThan(cycles);
    console.log(
      `search kills: ${cycles} kills, ${known} queries answered before them, ${askedAgain} asked after`,
    );
  },
);
