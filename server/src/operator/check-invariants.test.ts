// The checker finds what it is for: each fault is planted in stored data that was whole before.
import { createSession } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../../test/create-test-app.ts";
import { engines } from "../../test/test-databases.ts";
import type { Trx } from "../platform/database/database.ts";
import { checkInvariants } from "./check-invariants.ts";

class Undo extends Error {}

describe.each(engines)("the checker of what is stored, on %s", (engine) => {
  let app: TestApp;
  let sessionId: string;
  let replyId: number;

  beforeAll(async () => {
    app = await createTestApp({ engine });
    const person = await app.signedIn();
    const session = await person.ok(createSession, {});
    sessionId = session.id;
    const next = app.model.next();
    const stream = await person.stream(completion, {
      chat_session_id: session.id,
      prompt: "Go",
      client_stream_id: "a stream",
    });
    const run = await next;
    run.say("one ");
    await stream.waitForType("delta");
    run.say("two ");
    run.end();
    await stream.ended;
    const row = await app.db.kysely.selectFrom("replies").select("id").executeTakeFirstOrThrow();
    replyId = row.id;
  });

  afterAll(async () => {
    await app.close();
  });

  /** The violations when `spoil` has been done to the data, which is taken back afterwards. */
  async function found(spoil: (trx: Trx) => Promise<unknown>): Promise<string[]> {
    let report: string[] = [];
    const spoilt = app.db.transaction(async (trx) => {
      await spoil(trx);
      const inside = { ...app.db, kysely: trx, transaction: <T>(work: (t: Trx) => Promise<T>) => work(trx) };
      const { violations } = await checkInvariants(inside, { serverRuns: true });
      report = violations.map(({ invariant, what }) => `${invariant}: ${what}`);
      throw new Undo();
    });
    await expect(spoilt).rejects.toBeInstanceOf(Undo);
    return report;
  }

  it("finds nothing in whole data", async () => {
    expect(await found(async () => {})).toEqual([]);
    const { sessions, replies } = await checkInvariants(app.db);
    expect({ sessions, replies }).toEqual({ sessions: 1, replies: 1 });
  });

  const logRows = (trx: Trx) =>
    trx.selectFrom("stream_log").selectAll().where("reply", "=", replyId).orderBy("first_id").execute();

  const faults: [string, string, (trx: Trx) => Promise<unknown>][] = [
    [
      "words of a share that has ended",
      "I8",
      async (trx) => {
        const share = { id: "ended", user_id: "u", session_id: sessionId, shown_session_id: "", title: null };
        const state = { agent: "chat", state: "DELETED", created_at: 1, state_at: 1 };
        await trx
          .insertInto("shares")
          .values({ ...share, ...state })
          .execute();
        await trx
          .insertInto("share_messages")
          .columns([
            ...["share_id", "message_id", "user_id", "role", "status", "fragments", "files"],
            ...["accumulated_token_usage", "thinking_enabled", "search_enabled", "ban_regenerate"],
            ...["ban_edit", "model", "inserted_at"],
          ] as "share_id"[])
          .expression(
            sql`select 'ended', message_id, user_id, role, status, fragments, files, 0, 0, 0, 0, 0, model, 1 from messages`,
          )
          .execute();
      },
    ],
    ["a lost user message", "I1", (trx) => trx.deleteFrom("messages").where("role", "=", "USER").execute()],
    ["a lost reply", "I1", (trx) => trx.deleteFrom("messages").where("role", "=", "ASSISTANT").execute()],
    [
      "a text that is not its log's",
      "I2",
      (trx) => trx.updateTable("messages").set({ fragments: "[]" }).where("role", "=", "ASSISTANT").execute(),
    ],
    [
      "an end that is not its log's",
      "I2",
      (trx) =>
        trx.updateTable("messages").set({ status: "INCOMPLETE" }).where("role", "=", "ASSISTANT").execute(),
    ],
    [
      "a lost row of the log",
      "I3",
      async (trx) => {
        const [, second] = await logRows(trx);
        await trx
          .deleteFrom("stream_log")
          .where("id", "=", second?.id ?? 0)
          .execute();
      },
    ],
    [
      "events of the log that are there twice",
      "I3",
      async (trx) => {
        const last = (await logRows(trx)).at(-1);
        if (last === undefined) throw new Error("no log");
        const { id: _id, ...copy } = last;
        await trx
          .insertInto("stream_log")
          .values({ ...copy, first_id: copy.first_id + 1 })
          .execute();
      },
    ],
    [
      "an old epoch that wrote after a new one",
      "I3",
      async (trx) => {
        const [first] = await logRows(trx);
        await trx
          .updateTable("stream_log")
          .set({ epoch: 7 })
          .where("id", "=", first?.id ?? 0)
          .execute();
      },
    ],
    [
      "a closed reply that is WIP",
      "I5",
      (trx) => trx.updateTable("messages").set({ status: "WIP" }).where("role", "=", "ASSISTANT").execute(),
    ],
    [
      "a running reply without a lease",
      "I5",
      (trx) => trx.updateTable("replies").set({ ended_at: null }).execute(),
    ],
    [
      "an owner that is silent",
      "I5",
      (trx) =>
        trx
          .insertInto("reply_lease")
          .values({
            reply: replyId,
            user_id: "u",
            owner: "dead",
            epoch: 1,
            renewed_at: 1,
            attempts: 0,
            stop_requested: 0,
          })
          .execute(),
    ],
    [
      "a message outside the tree",
      "I8",
      (trx) => trx.updateTable("messages").set({ parent_id: 99 }).where("role", "=", "ASSISTANT").execute(),
    ],
    [
      "a current message that does not exist",
      "I8",
      (trx) => trx.updateTable("sessions").set({ current_message_id: 99 }).execute(),
    ],
    [
      "a deletion that left something",
      "I8",
      (trx) => trx.updateTable("sessions").set({ deleted_at: 1 }).execute(),
    ],
    [
      "messages of a session that is gone",
      "I8",
      (trx) => trx.deleteFrom("sessions").where("id", "=", sessionId).execute(),
    ],
  ];

  it.each(faults)("finds %s (%s)", async (_name, invariant, spoil) => {
    const report = await found(spoil);
    expect(report.filter((line) => line.startsWith(invariant))).not.toEqual([]);
  });

  it("finds a reply message without its reply (I6)", async () => {
    const report = await found(async (trx) => {
      await trx.deleteFrom("stream_log").execute();
      await trx.deleteFrom("replies").execute();
    });
    expect(report).toEqual(["I6: message 2 has 0 reply rows"]);
  });

  it("finds two replies that are WIP in one session", async () => {
    const report = await found(async (trx) => {
      const row = await trx
        .selectFrom("messages")
        .selectAll()
        .where("role", "=", "ASSISTANT")
        .executeTakeFirstOrThrow();
      await trx.updateTable("messages").set({ status: "WIP" }).where("role", "=", "ASSISTANT").execute();
      await trx
        .insertInto("messages")
        .values({ ...row, message_id: 3, status: "WIP" })
        .execute();
    });
    expect(report.filter((line) => line.startsWith("I7"))).toHaveLength(1);
  });
});
