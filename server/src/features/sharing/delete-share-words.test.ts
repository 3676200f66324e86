// A large share is gone at once, and its words in steps, whoever dies meanwhile; on both databases.
import { deleteAllSessions } from "@plumb/protocol/wire/history";
import { deleteSession } from "@plumb/protocol/wire/sessions";
import { createShare, deleteShare, forkShare, shareContent } from "@plumb/protocol/wire/sharing";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import type { TestApp } from "../../../test/create-test-app.ts";
import { storeHistory } from "../../../test/history/stored-history.ts";
import { orphanedJob } from "../../../test/stored-rows.ts";
import { testApps } from "../../../test/test-apps.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import { checkInvariants } from "../../operator/check-invariants.ts";
import type { Trx } from "../../platform/database/database.ts";
import { deleteShareWordsLeftOf, SHARE_WORDS_JOB, subjectOfWords } from "./delete-share-words.ts";
import { deleteSharesOfUser } from "./share-store.ts";
import { listSharedFiles, listSharedHeads, loadShared, readSharedBytes } from "./share-messages-store.ts";

const MESSAGES = 600;

describe.each(engines)("the end of a large share on %s", (engine) => {
  const open = testApps({ engine, settings: { RATE_LIMITS: "off" } });
  const count = async (
    q: TestApp["db"]["kysely"] | Trx,
    table: "share_messages" | "share_files" | "jobs",
  ) => {
    const { rows } = await q
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as("rows"))
      .executeTakeFirstOrThrow();
    return Number(rows);
  };
  const allIds = (messages: number) => Array.from({ length: messages }, (_one, index) => index + 1);
  async function talkFor(app: TestApp, person: TestClient, messages = MESSAGES): Promise<string> {
    const texts = allIds(messages).map((at) => ({ text: `marmalade ${at}`, at }));
    return storeHistory(app.db, person.user?.id ?? "", texts, "Marmalade");
  }
  async function share(person: TestClient, session: string, messages = MESSAGES): Promise<string> {
    const made = await person.ok(createShare, { chat_session_id: session, message_ids: allIds(messages) });
    return made.share_id;
  }
  const strays = async (app: TestApp) =>
    (await checkInvariants(app.db)).violations.filter(({ invariant }) => invariant === "I8");
  /** Notes what each transaction takes of shares' words. Jobs that are made wait. */
  function watch(app: TestApp): { taken: number[]; stop(): void } {
    const taken: number[] = [];
    const original = app.db.transaction.bind(app.db);
    const spy = vi
      .spyOn(app.db, "transaction")
      .mockImplementation(async (work: (trx: Trx) => Promise<unknown>) =>
        original(async (trx) => {
          const before = await count(trx, "share_messages");
          const result = await work(trx);
          taken.push(before - (await count(trx, "share_messages")));
          await trx
            .updateTable("jobs")
            .set({ due_at: 8e15 })
            .where("kind", "=", SHARE_WORDS_JOB)
            .where("owner", "=", "")
            .execute();
          return result;
        }),
      );
    return { taken, stop: () => spy.mockRestore() };
  }
  const goOn = async (app: TestApp) => {
    await app.db.kysely.updateTable("jobs").set({ due_at: 0 }).execute();
    await expect.poll(() => count(app.db.kysely, "jobs"), { timeout: 10_000 }).toBe(0);
  };

  it("by its owner takes no word with it; nobody sees any from there on, and they go in steps", async () => {
    const app = await open();
    const [person, other] = [await app.signedIn(), await app.signedIn()];
    const kept = await share(other, await talkFor(app, other, 4), 4);
    const id = await share(person, await talkFor(app, person));
    const { db } = app;
    await db.kysely
      .insertInto("share_files")
      .values({ share_id: id, shown_id: "f", file_id: "f", user_id: "u", name: "f", bytes: 1, tokens: 1 })
      .execute();
    const [head] = await listSharedHeads(db.kysely, id, 1);
    if (head === undefined) throw new Error("no message");
    const watched = watch(app);
    await person.ok(deleteShare, { share_id: id });
    expect(Math.max(...watched.taken)).toBe(0);
    watched.stop();

    expect(await count(db.kysely, "share_messages")).toBe(MESSAGES + 4);
    expect(await strays(app)).toEqual([]);
    for (const call of [shareContent, forkShare])
      expect((await other.call(call, { share_id: id })).envelope.data?.biz_code).toBe(2);
    // Of a reader who had found it before.
    expect(await listSharedHeads(db.kysely, id)).toEqual([]);
    expect(await loadShared(db.kysely, id, [1, 2])).toEqual([]);
    expect(await listSharedFiles(db.kysely, id)).toEqual([]);
    expect(await readSharedBytes(db, head, 0, 10)).toBeUndefined();

    const taken: number[] = [];
    const counted = {
      ...db,
      unsyncedTransaction: async <T>(work: (trx: Trx) => Promise<T>): Promise<T> => {
        const before = await count(db.kysely, "share_messages");
        const result = await db.unsyncedTransaction(work);
        taken.push(before - (await count(db.kysely, "share_messages")));
        return result;
      },
    };
    const mine = person.user?.id ?? "";
    await deleteShareWordsLeftOf({ ...app.app.deps, db: counted }, mine, new AbortController().signal);
    expect(taken.reduce((sum, some) => sum + some, 0)).toBe(MESSAGES);
    expect(taken[0]).toBeLessThanOrEqual(10);
    expect(Math.max(...taken)).toBeLessThanOrEqual(500);
    expect(await count(db.kysely, "share_files")).toBe(0);
    await goOn(app);
    expect((await app.client().ok(shareContent, { share_id: kept })).messages).toHaveLength(4);
  });

  it("together with its chat's others takes as many words as those of small ones come to", async () => {
    const app = await open();
    const person = await app.signedIn();
    const session = await talkFor(app, person, 100);
    const ids: string[] = [];
    for (let made = 0; made < 10; made += 1) ids.push(await share(person, session, 100));
    const watched = watch(app);
    await person.ok(deleteSession, { chat_session_id: session });
    expect(Math.max(...watched.taken)).toBe(200);
    watched.stop();
    for (const id of ids)
      expect((await app.client().call(shareContent, { share_id: id })).envelope.data?.biz_code).toBe(3);
    await goOn(app);
    expect(await count(app.db.kysely, "share_messages")).toBe(0);
  });

  it("is finished by another process when the one that began it has died", async () => {
    const app = await open();
    const person = await app.signedIn();
    const id = await share(person, await talkFor(app, person));
    const watched = watch(app);
    await person.ok(deleteShare, { share_id: id });
    watched.stop();
    // It had taken some.
    await app.db.kysely.deleteFrom("share_messages").where("message_id", "<", 50).execute();
    const { subject, kind, user_id } = await app.db.kysely
      .selectFrom("jobs")
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(subject).toBe(subjectOfWords(id));
    await app.db.kysely.updateTable("jobs").set(orphanedJob({ subject, kind, user_id })).execute();
    await expect.poll(() => count(app.db.kysely, "jobs"), { timeout: 10_000 }).toBe(0);
    expect(await count(app.db.kysely, "share_messages")).toBe(0);
    expect(await strays(app)).toEqual([]);
  });

  it("leaves no word when all history is gone", async () => {
    const app = await open();
    const person = await app.signedIn();
    const session = await talkFor(app, person);
    await person.ok(deleteShare, { share_id: await share(person, session) });
    await share(person, session);
    await person.ok(deleteAllSessions, {});
    expect(await count(app.db.kysely, "share_messages")).toBe(0);
  });

  it("takes no look at the many shares that had ended before when their account goes", async () => {
    const { db } = await open();
    const ended = 40_000;
    await sql`insert into shares (id, user_id, session_id, shown_session_id, agent, state, created_at, state_at)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(ended)})
      select 'ended-' || n, 'somebody', 'gone', 'shown', 'chat', 'DELETED', 0, 0 from numbers`.execute(
      db.kysely,
    );
    await db.transaction((trx) => deleteSharesOfUser(db, trx, "somebody"));
    const left = await db.kysely
      .selectFrom("shares")
      .select("id")
      .where("user_id", "=", "somebody")
      .execute();
    expect(left).toEqual([]);
  });
});
