// Several processes on one PostgreSQL: the one that answers may die, freeze or leave, and any other goes on.
import { afterAll, beforeAll, expect, test } from "vitest";
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { type ReplyState, emptyReply } from "@plumb/protocol/stream/reply-state";
import { eventsAfter, readLog } from "../../server/src/features/sessions/stream-log-store.ts";
import { LoadClient } from "../support/load-client.ts";
import type { ReplyReader } from "../support/reply-reader.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { type Replicas, startReplicas } from "./replicas.ts";
import { storedStatuses, until, verifyReplies } from "./verify-replies.ts";
import { scriptedText } from "../support/scripted-text.ts";
import { seededRandom, seedOfRun } from "./seeded-random.ts";

const long = process.env["TEST_LONG"] === "1";
const seed = seedOfRun();
const random = seededRandom(seed);
/** Beyond the lease of 600 ms. */
const frozenMs = 1500;
const streamsPerRound = 4;

let upstream: ScriptedUpstream;
let replicas: Replicas;
let person: LoadClient;

beforeAll(async () => {
  console.log(`replicas: seed ${seed} (PLUMB_SEED)`);
  upstream = await startScriptedUpstream({
    scripts: [
      { tokens: 90, paceMs: 15 },
      { match: { user: "(thinking)" }, reasoning: 50, tokens: 40, paceMs: 15 },
      { match: { kind: "title" }, answer: "A title" },
    ],
  });
  replicas = await startReplicas(upstream, 3);
  person = await LoadClient.signUp(() => at(0).origin, replicas.codeFor);
}, 90_000);

afterAll(async () => {
  person?.close();
  await replicas?.close();
  await upstream?.close();
});

function at(index: number): ServerProcess {
  const server = replicas.servers[index];
  if (server === undefined) throw new Error(`There is no server ${index}.`);
  return server;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Readers that begin at the owner and resume at another server once it is left. */
async function beginAt(
  owner: ServerProcess,
  name: string,
): Promise<{ readers: ReplyReader[]; leave(to: ServerProcess): void }> {
  let target = owner;
  const client = person.at(() => target.origin);
  const readers = await Promise.all(
    Array.from({ length: streamsPerRound }, async (_, index) => {
      const thinking = index % 2 === 1;
      return client.send({
        sessionId: await client.createSession(),
        prompt: `${name} stream ${index}${thinking ? " (thinking)" : ""}`,
        thinking,
        withLastEventId: index < 2,
      });
    }),
  );
  await Promise.all(
    readers.map((reader) => until(() => reader.state.message !== null || reader.end !== null)),
  );
  expect(readers.map(({ refusal }) => refusal)).toEqual(readers.map(() => null));
  return {
    readers,
    leave(to) {
      target = to;
    },
  };
}

const verify = (readers: readonly ReplyReader[], label: string): Promise<void> =>
  verifyReplies(replicas, upstream, readers, `${label}, seed ${seed}`);
const statusesOf = (readers: readonly ReplyReader[]): Promise<string[]> => storedStatuses(replicas, readers);

/** Of each reply: who wrote the rows of its log, in the order of their ids. */
async function epochsInOrder(readers: readonly ReplyReader[]): Promise<number[][]> {
  const sessions = readers.map(({ options }) => options.sessionId);
  const rows = await replicas.db.kysely
    .selectFrom("stream_log")
    .innerJoin("replies", "replies.id", "stream_log.reply")
    .select(["stream_log.reply", "stream_log.epoch"])
    .where("replies.session_id", "in", sessions)
    .orderBy("stream_log.reply")
    .orderBy("stream_log.first_id")
    .execute();
  const byReply = Map.groupBy(rows, ({ reply }) => reply);
  return [...byReply.values()].map((own) => own.map(({ epoch }) => epoch));
}

test(
  "the owner is killed and another process finishes its replies",
  { timeout: long ? 3_000_000 : 300_000 },
  async () => {
    // Each process is the owner twice.
    const rounds = long ? 100 : 6;
    for (let round = 0; round < rounds; round += 1) {
      const owner = at(round % 3);
      const { readers, leave } = await beginAt(owner, `kill ${round}`);
      await sleep(random.between(0, 700));
      await owner.kill9();
      leave(at((round + 1) % 3));
      await verify(readers, `round ${round}`);
      expect(await statusesOf(readers)).toEqual(["FINISHED"]);
      await owner.restart();
    }
  },
);

test(
  "an owner that freezes beyond its lease cannot mix its text in when it wakes",
  { timeout: long ? 2_000_000 : 200_000 },
  async () => {
    const rounds = long ? 50 : 4;
    let refused = 0;
    for (let round = 0; round < rounds; round += 1) {
      const owner = at(round % 3);
      const from = owner.output.length;
      const { readers, leave } = await beginAt(owner, `freeze ${round}`);
      await sleep(random.between(0, 400));
      process.kill(owner.pid, "SIGSTOP");
      leave(at((round + 1) % 3));
      for (const reader of readers) reader.drop();
      await sleep(frozenMs);
      process.kill(owner.pid, "SIGCONT");
      await verify(readers, `round ${round}`);
      expect(await statusesOf(readers)).toEqual(["FINISHED"]);
      // Once a later owner has written, an earlier one writes no more.
      const written = await epochsInOrder(readers);
      expect(written).toEqual(written.map((epochs) => epochs.toSorted((a, b) => a - b)));
      refused += owner.output.slice(from).split("its events are refused").length - 1;
    }
    // Of a reply whose lease the woken process looks at before it writes, nothing is refused.
    expect(refused, "writes of the woken processes that were refused").toBeGreaterThanOrEqual(1);
  },
);

test("an owner that gets SIGTERM hands its replies over", { timeout: long ? 800_000 : 200_000 }, async () => {
  // Each process is the owner once.
  const rounds = long ? 20 : 3;
  for (let round = 0; round < rounds; round += 1) {
    const owner = at(round % 3);
    const { readers, leave } = await beginAt(owner, `leave ${round}`);
    await sleep(random.between(0, 300));
    leave(at((round + 1) % 3));
    expect(await owner.term()).toBe(0);
    await verify(readers, `round ${round}`);
    expect(await statusesOf(readers)).toEqual(["FINISHED"]);
    await owner.restart();
  }
});

test(
  "a reply is stopped from another process, also while its owner does not react",
  { timeout: 60_000 },
  async () => {
    for (const frozen of [false, true]) {
      const { readers, leave } = await beginAt(at(0), `stop ${frozen ? "frozen" : "awake"}`);
      const other = person.at(() => at(1).origin);
      if (frozen) {
        process.kill(at(0).pid, "SIGSTOP");
        leave(at(1));
        for (const reader of readers) reader.drop();
      }
      try {
        // At once: one that waits for its turn on a busy machine would have ended by itself.
        const stopped = readers.map(async ({ options, state }) => {
          const answer = await other.stop(options.sessionId, state.responseMessageId ?? undefined);
          expect(answer.biz?.code).toBe(0);
          const { chat_messages: messages } = await other.history(options.sessionId);
          expect(messages.at(-1)?.status).toBe("INCOMPLETE");
        });
        await Promise.all(stopped);
      } finally {
        if (frozen) process.kill(at(0).pid, "SIGCONT");
      }
      await verify(readers, frozen ? "frozen" : "awake");
      expect(await statusesOf(readers)).toEqual(["INCOMPLETE"]);
    }
  },
);

test(
  "a reply of many events is resumed whole from every event on every process, running and ended",
  {
    timeout: 120_000,
  },
  async () => {
    const prompt = "every offset (many events)";
    const almost = scriptedText(prompt, 320).length - 10;
    upstream.script({
      match: { user: prompt },
      tokens: 320,
      paceMs: 25,
      fault: { kind: "stall", at: almost },
    });
    const owner = person.at(() => at(0).origin);
    const sessionId = await owner.createSession();
    const first = owner.send({ sessionId, prompt });
    await until(() => first.state.message !== null);
    const messageId = first.state.responseMessageId ?? 0;
    const follow = (index: number, known?: ReplyState): ReplyReader =>
      person
        .at(() => at(index % 3).origin)
        .follow({ sessionId, prompt, messageId, ...(known === undefined ? {} : { known }) });

    // While it grows: a reader without a position begins every tenth event and stays to the end.
    const early: ReplyReader[] = [];
    const stalled = (): boolean => first.textOf("RESPONSE").length >= almost;
    while (!stalled()) {
      const before = first.state.lastEventId;
      await until(() => first.state.lastEventId >= before + 10 || stalled());
      early.push(follow(early.length));
    }
    // While it stands still: one from every event, on each process in turn.
    const { id } = await replicas.db.kysely
      .selectFrom("replies")
      .select("id")
      .where("session_id", "=", sessionId)
      .executeTakeFirstOrThrow();
    const soFar = eventsAfter(await readLog(replicas.db.kysely, id, 1), 0);
    const last = soFar.length;
    // Some 300 on an idle machine; on a busy one more text comes in one event.
    expect(last).toBeGreaterThan(50);
    let known = emptyReply();
    for (const event of soFar) {
      known = reduceReply(known, event);
      const reader = follow(event.id, known);
      await until(() => reader.ready && reader.state.lastEventId === last);
      expect(reader.state.message).toEqual(first.state.message);
      reader.leave();
      await reader.done;
      expect(reader.problems).toEqual([]);
    }
    upstream.release();
    await Promise.all(early.map((reader) => reader.done));
    await verify([first], "every offset");
    // With so many readers of one reply the oldest are ended, and may come back after the end.
    const whole = first.fullMessage ?? first.state.message;
    for (const reader of early) {
      expect(reader.problems).toEqual([]);
      expect(reader.fullMessage ?? reader.state.message).toEqual(whole);
    }
    const log = eventsAfter(await readLog(replicas.db.kysely, id, 1), 0);
    expect(log.reduce(reduceReply, emptyReply()).message).toEqual(whole);
    for (const event of log) {
      const answer = await person.call(
        "/api/v0/chat/resume_stream",
        { chat_session_id: sessionId, message_id: messageId },
        { "last-event-id": String(event.id) },
      );
      expect(answer.biz?.code).toBe(22);
      expect(answer.biz?.data?.["message"]).toEqual(whole);
    }
  },
);
