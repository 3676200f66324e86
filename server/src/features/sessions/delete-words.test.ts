// A large session is gone at once, and its words in steps, whoever dies meanwhile; on both databases.
import { deleteAllSessions, searchSessions } from "@plumb/protocol/wire/history";
import { currentUser } from "@plumb/protocol/wire/accounts";
import { historyMessages } from "@plumb/protocol/wire/sessions";
import { describe, expect, it } from "vitest";
import type { TestApp } from "../../../test/create-test-app.ts";
import { storeHistory } from "../../../test/history/stored-history.ts";
import { orphanedJob } from "../../../test/stored-rows.ts";
import { testApps } from "../../../test/test-apps.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import { checkInvariants } from "../../operator/check-invariants.ts";
import { systemClock } from "../../ports/clock.ts";
import type { Trx } from "../../platform/database/database.ts";
import { deleteSessions } from "./delete-sessions.ts";
import { deleteWords, deleteWordsLeftOf, WORDS_JOB } from "./delete-words.ts";
import { indexWaiting } from "./index-waiting.ts";

const MESSAGES = 1500;

describe.each(engines)("deleting a large session on %s", (engine) => {
  const open = testApps({ engine });
  const count = async (app: TestApp, table: "messages" | "history_docs" | "jobs"): Promise<number> => {
    const { rows } = await app.db.kysely
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as("rows"))
      .executeTakeFirstOrThrow();
    return Number(rows);
  };
  async function talkFor(app: TestApp, person: TestClient, messages = MESSAGES): Promise<string> {
    const texts = Array.from({ length: messages }, (_, n) => ({ text: `marmalade ${n}`, at: n + 1 }));
    const id = await storeHistory(app.db, person.user?.id ?? "", texts, "Marmalade");
    await indexWaiting(app.db, systemClock);
    return id;
  }

  it("takes its words in steps of bounded size; nobody sees any from the first on", async () => {
    const app = await open();
    const [person, other] = [await app.signedIn(), await app.signedIn()];
    const kept = await talkFor(app, other, 4);
    const id = await talkFor(app, person);
    // Another process's, which has not begun: nobody does the job meanwhile.
    const held: string[] = [];
    const { db } = app;
    const deps = { ...app.app.deps, jobs: { wake: () => {} } };
    const mine = person.user?.id ?? "";
    const deleting = {
      ...deps,
      db: {
        ...db,
        transaction: async <T>(work: (trx: Trx) => Promise<T>): Promise<T> =>
          db.transaction(async (trx) => {
            const result = await work(trx);
            held.push(
              ...(await trx.updateTable("jobs").set({ due_at: 8e15 }).returning("subject").execute()).map(
                ({ subject }) => subject,
              ),
            );
            return result;
          }),
      },
    };
    expect(await deleteSessions(deleting, mine, [id])).toBe(1);
    expect(held).toEqual([`${WORDS_JOB}.${id}`]);
    expect(await count(app, "messages")).toBe(MESSAGES + 4);
    expect((await checkInvariants(db, { sessions: [id] })).violations).toEqual([]);
    expect((await person.call(historyMessages, { chat_session_id: id })).envelope.data?.biz_code).toBe(1);
    expect((await person.ok(searchSessions, { q: "marmalade" })).hits).toEqual([]);
    const taken: number[] = [];
    const counted = {
      ...db,
      unsyncedTransaction: async <T>(work: (trx: Trx) => Promise<T>): Promise<T> => {
        const before = await count(app, "messages");
        const result = await db.unsyncedTransaction(work);
        taken.push(before - (await count(app, "messages")));
        return result;
      },
    };
    await deleteWordsLeftOf({ ...deps, db: counted }, mine, new AbortController().signal);
    expect(taken.reduce((sum, some) => sum + some, 0)).toBe(MESSAGES);
    expect(taken[0]).toBeLessThanOrEqual(10);
    expect(Math.max(...taken)).toBeLessThanOrEqual(500);
    await db.kysely.updateTable("jobs").set({ due_at: 0 }).execute();
    await expect.poll(() => count(app, "jobs")).toBe(0);
    expect(await count(app, "messages")).toBe(4);
    expect(await db.kysely.selectFrom("history_docs").select("session_id").distinct().execute()).toEqual([
      { session_id: kept },
    ]);
  });

  it("takes many small ones together, up to the same size", async () => {
    const app = await open();
    const person = await app.signedIn();
    const ids = [
      await talkFor(app, person, 200),
      await talkFor(app, person, 200),
      await talkFor(app, person, 200),
    ];
    let left = -1;
    await app.db.transaction(async (trx) => {
      expect(await deleteWords(app.db, trx, person.user?.id ?? "", ids)).toBe(true);
      left = (await trx.selectFrom("messages").select("message_id").execute()).length;
    });
    expect(left).toBe(200);
  });

  it("is finished by another process when the one that began it has died", async () => {
    const app = await open();
    const person = await app.signedIn();
    const id = await talkFor(app, person, 50);
    await app.db.transaction(async (trx) => {
      await trx
        .updateTable("sessions")
        .set({ deleted_at: 5, title: null, current_message_id: null })
        .execute();
      await trx
        .insertInto("jobs")
        .values(
          orphanedJob({
            subject: `${WORDS_JOB}.${id}`,
            kind: WORDS_JOB,
            user_id: person.user?.id ?? "",
          }),
        )
        .execute();
    });
    await expect.poll(() => count(app, "jobs")).toBe(0);
    expect(await count(app, "messages")).toBe(0);
    expect(await app.db.kysely.selectFrom("history_docs").select("message_id").execute()).toEqual([
      { message_id: 0 },
    ]);
  });

  it("leaves no word when all history is gone", async () => {
    const app = await open();
    const person = await app.signedIn();
    await talkFor(app, person);
    await person.ok(deleteAllSessions, {});
    expect(await count(app, "messages")).toBe(0);
    expect(await count(app, "history_docs")).toBe(0);
    expect((await person.ok(currentUser, {})).id).toBe(person.user?.id);
  });
});
