// The server is killed while chats are shared and continued: what was acknowledged is whole, and of the rest nobody sees anything.
import { rmSync } from "node:fs";
import type { Message } from "@plumb/protocol/conversation/message";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { checkInvariants } from "../../server/src/operator/check-invariants.ts";
import type { Database } from "../../server/src/platform/database/database.ts";
import { dropCopy } from "../../server/src/features/sharing/session-copy-store.ts";
import { openSqlite } from "../../server/src/platform/database/open-sqlite.ts";
import { ConnectionLost } from "../support/http-call.ts";
import { LoadClient } from "../support/load-client.ts";
import { startScriptedUpstream } from "../support/scripted-upstream.ts";
import { ServerProcess } from "../support/server-process.ts";
import { seededRandom, seedOfRun } from "./seeded-random.ts";

const long = process.env["TEST_LONG"] === "1";
const cycles = Number(process.env["PLUMB_CYCLES"] ?? (long ? 20 : 4));
const seed = seedOfRun();
const MESSAGES = 400;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const allIds = Array.from({ length: MESSAGES }, (_one, index) => index + 1);

/** Fills a new session with a chat of some 3 MiB, as if it had been written long ago. */
async function fill(db: Database, sessionId: string): Promise<void> {
  const { user_id } = await db.kysely
    .selectFrom("sessions")
    .select("user_id")
    .where("id", "=", sessionId)
    .executeTakeFirstOrThrow();
  await db.transaction(async (trx) => {
    for (const message_id of allIds) {
      const isReply = message_id % 2 === 0;
      const content = `${message_id} ${"文字 words ".repeat(800)}`;
      const fragment = isReply ? { type: "RESPONSE", content, id: 2 } : { id: 1, type: "REQUEST", content };
      const modes = { thinking_enabled: 0, search_enabled: 0 };
      await trx
        .insertInto("messages")
        .values({
          ...modes,
          session_id: sessionId,
          message_id,
          user_id,
          parent_id: message_id === 1 ? null : message_id - 1,
          role: isReply ? "ASSISTANT" : "USER",
          status: "FINISHED",
          fragments: JSON.stringify([fragment]),
          files: "[]",
          accumulated_token_usage: message_id,
          ban_regenerate: 0,
          ban_edit: 0,
          inserted_at: message_id,
          last_event_id: 0,
        })
        .execute();
      if (!isReply) continue;
      await trx
        .insertInto("replies")
        .values({
          ...modes,
          user_id,
          session_id: sessionId,
          message_id,
          request_message_id: message_id - 1,
          agent: "chat",
          model: "",
          locale: "en_US",
          produced_ms: 0,
          run_first_id: 1,
          started_at: 1,
          ended_at: 1,
        })
        .execute();
    }
    const change = { current_message_id: MESSAGES, last_message_id: MESSAGES };
    await trx.updateTable("sessions").set(change).where("id", "=", sessionId).execute();
  });
}

/** Repeats a call until the server is gone, and keeps what was acknowledged. */
async function untilKilled(acknowledged: string[], ask: () => Promise<string>): Promise<void> {
  try {
    for (;;) acknowledged.push(await ask());
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
  }
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

test(
  `${cycles} kills while chats are shared and continued leave whole ones, or none`,
  { timeout: 60_000 + cycles * 30_000 },
  async () => {
    console.log(`share kills: seed ${seed} (PLUMB_SEED)`);
    const random = seededRandom(seed);
    const upstream = await startScriptedUpstream({ scripts: [{ tokens: 5 }] });
    closing.push(() => upstream.close());
    const server = await ServerProcess.start({
      MODEL_BASE_URL: upstream.url,
      LOG_LEVEL: "warn",
      RATE_LIMITS: "off",
    });
    closing.push(async () => {
      await server.kill9();
      rmSync(server.dataDir, { recursive: true, force: true });
    });
    const db = openSqlite({ dataDir: server.dataDir, log: pino({ level: "silent" }), exclusive: false });
    closing.push(() => db.close());
    const signUp = () =>
      LoadClient.signUp(
        () => server.origin,
        (email) => server.codeFor(email),
      );
    const [owner, reader] = [await signUp(), await signUp()];
    closing.push(async () => [owner, reader].forEach((client) => client.close()));
    const session = await owner.createSession();
    await fill(db, session);
    const original = (await owner.history(session)).chat_messages;
    expect(original).toHaveLength(MESSAGES);

    const create = async () => {
      const body = { chat_session_id: session, message_ids: allIds };
      return String((await owner.must("/api/v0/share/create", body))["share_id"]);
    };
    const end = (id: string) => owner.must("/api/v0/share/delete", { share_id: id });
    const contentOf = async (id: string) =>
      (await reader.must(`/api/v0/share/content?share_id=${id}`))["messages"] as Message[];
    const base = await create();

    const totals = { shares: 0, forks: 0, cut: 0 };
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const about = `seed ${seed}, cycle ${cycle}`;
      let made: string | null = null;
      const [shares, forks]: [string[], string[]] = [[], []];
      const creating = untilKilled(shares, async () => {
        const id = await create();
        // A session has room for ten: all but the last acknowledged one go again.
        if (made !== null) await end(made);
        made = id;
        return id;
      });
      const forking = untilKilled(forks, async () =>
        String((await reader.must("/api/v0/share/fork", { share_id: base }))["chat_session_id"]),
      );
      await expect.poll(() => shares.length > 0 && forks.length > 0, { timeout: 20_000 }).toBe(true);
      await sleep(random.between(0, 400));
      await server.kill9();
      await Promise.all([creating, forking]);
      totals.shares += shares.length;
      totals.forks += forks.length;
      const unfinished = await db.kysely.selectFrom("session_copies").selectAll().execute();
      const making = await db.kysely
        .selectFrom("shares")
        .select("id")
        .where("state", "=", "MAKING")
        .execute();
      totals.cut += unfinished.length + making.length;
      await server.restart();

      const { violations } = await checkInvariants(db);
      expect(violations, about).toEqual([]);
      const { shares: listed } = (await owner.must("/api/v0/share/list?count=100")) as {
        shares: { share_id: string }[];
      };
      const ids = listed.map(({ share_id }) => share_id);
      const last = shares.at(-1);
      if (last !== undefined) expect(ids, about).toContain(last);
      for (const id of ids) expect(await contentOf(id), about).toEqual(original);
      const page = (await reader.must("/api/v0/chat_session/fetch_page?count=100")) as {
        chat_sessions: { id: string }[];
      };
      const sessions = page.chat_sessions.map(({ id }) => id);
      expect(sessions, about).toEqual(expect.arrayContaining(forks));
      for (const id of sessions) expect((await reader.history(id)).chat_messages, about).toEqual(original);

      await Promise.all(ids.filter((id) => id !== base).map(end));
      if (sessions.length > 0)
        await reader.must("/api/v0/chat_session/delete", { chat_session_ids: sessions });
      // What was cut counts against the session's shares until it is purged, half an hour later.
      await db.kysely.updateTable("shares").set({ state: "DELETED" }).where("state", "=", "MAKING").execute();
      await db.kysely.deleteFrom("share_messages").where("share_id", "not in", [base]).execute();
      for (const { session_id } of unfinished) await dropCopy(db, session_id);
    }
    console.log(`share kills: ${JSON.stringify(totals)}`);
    expect(totals.cut).toBeGreaterThan(0);
  },
);
