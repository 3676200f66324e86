// An index that an older version has written, brought to the words of this one while others write and delete.
import { deleteSession } from "@plumb/protocol/wire/sessions";
import { searchSessions } from "@plumb/protocol/wire/history";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import { storeHistory } from "../../../test/history/stored-history.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import type { Database } from "../../platform/database/database.ts";
import { indexWords } from "../../platform/words/index-words.ts";
import { foldShort } from "../../platform/words/search-text.ts";
import { systemClock } from "../../ports/clock.ts";
import { TITLE } from "./history-index-store.ts";
import { forgetAllWords, indexMessage, wordsOfText } from "./index-history.ts";
import { indexWaiting } from "./index-waiting.ts";
import { reindexSession } from "./reindex-history.ts";
import { findSession, type SessionRow } from "./session-store.ts";

const TITLE_TEXT = "Titleword";
const TEXTS = [
  "Is it open?",
  "It is an **Öff**nungszeit",
  "And `then`?",
  "A **mid**day, and no **mid**night",
];

describe.each(engines)("an index written by an older version, on %s", (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ engine });
  });
  afterAll(() => app.close());

  const userIdOf = (person: TestClient) => person.user?.id ?? "";
  const found = async (person: TestClient, q: string) =>
    (await person.ok(searchSessions, { q })).hits.map(({ message_id: id }) => id);
  const rowsOf = async (sessionId: string) =>
    (
      await app.db.kysely
        .selectFrom("history_docs")
        .select("message_id")
        .where("session_id", "=", sessionId)
        .orderBy("message_id")
        .execute()
    ).map(({ message_id: id }) => id);

  async function write(session: SessionRow, messageId: number, words: readonly string[]): Promise<void> {
    const text = { userId: session.user_id, sessionId: session.id, messageId, at: messageId * 1000 };
    await app.db.transaction((trx) => indexMessage(app.db, trx, text, words));
  }

  /** A session whose answers are indexed as they were written and no more, and whose title under another word. */
  async function oldSession(person: TestClient): Promise<SessionRow> {
    const texts = TEXTS.map((text, index) => ({ text, at: (index + 1) * 1000 }));
    const id = await storeHistory(app.db, userIdOf(person), texts, TITLE_TEXT);
    await indexWaiting(app.db, systemClock);
    const session = await findSession(app.db.kysely, userIdOf(person), id);
    if (session === undefined) throw new Error("it was not stored");
    for (const messageId of [2, 4])
      await write(session, messageId, await indexWords(foldShort(TEXTS[messageId - 1] ?? "")));
    await write(session, TITLE, ["otherword"]);
    await forgetAllWords(app.db, systemClock);
    return session;
  }

  /** The database, where `meanwhile` is done between the first reading of a text and its writing. */
  function withSomethingBefore(meanwhile: () => Promise<unknown>): Database {
    let isDone = false;
    return {
      ...app.db,
      async unsyncedTransaction(work) {
        if (!isDone) await meanwhile();
        isDone = true;
        return app.db.unsyncedTransaction(work);
      },
    };
  }

  it("finds all as it is found now; done once more, nothing is left to do", async () => {
    const person = await app.signedIn();
    const session = await oldSession(person);
    expect(await found(person, "öffnungszeit")).toEqual([]);
    expect(await found(person, "titleword")).toEqual([]);
    expect(await reindexSession(app.db, systemClock, session)).toEqual({ texts: 5, renewed: 3 });
    expect(await found(person, "öffnungszeit")).toEqual([2]);
    expect(await found(person, "midday midnight")).toEqual([4]);
    expect(await found(person, "then")).toEqual([3]);
    expect(await found(person, "titleword")).toEqual([null]);
    expect(await found(person, "otherword")).toEqual([]);
    expect(await reindexSession(app.db, systemClock, session)).toEqual({ texts: 5, renewed: 0 });
    expect(await rowsOf(session.id)).toEqual([0, 1, 2, 3, 4]);
    if (engine === "sqlite") {
      // The words that they had are gone, as nobody else is there to take them out.
      expect(await app.db.kysely.selectFrom("history_gone").selectAll().execute()).toEqual([]);
      await sql`insert into history_words (history_words) values ('integrity-check')`.execute(app.db.kysely);
    }
  });

  it("goes on where it was killed", async () => {
    const person = await app.signedIn();
    const session = await oldSession(person);
    const killing = { monotonic: () => 0, after: () => expect.fail("killed") };
    await expect(reindexSession(app.db, killing, session)).rejects.toThrow("killed");
    expect(await found(person, "titleword")).toEqual([null]);
    expect(await found(person, "öffnungszeit")).toEqual([]);
    expect(await reindexSession(app.db, systemClock, session)).toEqual({ texts: 5, renewed: 2 });
    expect(await found(person, "öffnungszeit")).toEqual([2]);
    expect(await rowsOf(session.id)).toEqual([0, 1, 2, 3, 4]);
  });

  it("brings back no word of a session that is deleted meanwhile", async () => {
    const person = await app.signedIn();
    const session = await oldSession(person);
    const db = withSomethingBefore(() => person.ok(deleteSession, { chat_session_id: session.id }));
    expect(await reindexSession(db, systemClock, session)).toMatchObject({ renewed: 0 });
    expect(await rowsOf(session.id)).toEqual([]);
    expect(await found(person, "titleword")).toEqual([]);
  });

  it("leaves a title and a message that change meanwhile to whoever changes them", async () => {
    const person = await app.signedIn();
    const session = await oldSession(person);
    const { id } = session;
    const retitled = withSomethingBefore(async () => {
      await app.db.kysely.updateTable("sessions").set({ title: "Newtitle" }).where("id", "=", id).execute();
      await write(session, TITLE, await wordsOfText("Newtitle"));
    });
    expect(await reindexSession(retitled, systemClock, session)).toEqual({ texts: 5, renewed: 2 });
    expect(await found(person, "newtitle")).toEqual([null]);

    await write(session, 4, ["stale"]);
    const continued = withSomethingBefore(async () => {
      const fragments = JSON.stringify([{ id: 1, type: "RESPONSE", content: "Continuedword" }]);
      await app.db.kysely
        .updateTable("messages")
        .set({ fragments })
        .where("session_id", "=", id)
        .where("message_id", "=", 4)
        .execute();
      await write(session, 4, await wordsOfText("Continuedword"));
    });
    const renamed = { ...session, title: "Newtitle" };
    expect(await reindexSession(continued, systemClock, renamed)).toEqual({ texts: 5, renewed: 0 });
    expect(await found(person, "continuedword")).toEqual([4]);
    expect(await rowsOf(id)).toEqual([0, 1, 2, 3, 4]);
  });
});
