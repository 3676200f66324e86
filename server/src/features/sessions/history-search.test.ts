// Searching one's history (wire-contract.md §19.5), on both databases: what is found, when, by whom, and at what cost.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  deleteAllSessions,
  type SearchHit,
  type SearchPage,
  searchSessions,
} from "@plumb/protocol/wire/history";
import { createSession, deleteSession, updateSessionTitle } from "@plumb/protocol/wire/sessions";
import { createShare, forkShare } from "@plumb/protocol/wire/sharing";
import { stopStream } from "@plumb/protocol/wire/replies";
import { completion, continueMessage, editMessage, regenerate } from "@plumb/protocol/wire/turns";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import { plainSearch } from "../../../test/history/plain-search.ts";
import { searchDocuments } from "../../../test/history/search-documents.ts";
import { searchTable } from "../../../test/history/search-table.ts";
import { type StoredText, storeHistory } from "../../../test/history/stored-history.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import { parseSearchQuery } from "../../platform/words/search-query.ts";
import { addText } from "./history-index-store.ts";
import { forgetAllWords } from "./index-history.ts";
import { indexWaiting } from "./index-waiting.ts";
import { searchHistory } from "./search-history.ts";

describe.each(engines)("searching one's history on %s", (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ engine });
  });
  afterAll(() => app.close());

  const idOf = (person: TestClient) => person.user?.id ?? "";
  const index = () => indexWaiting(app.db, app.app.deps.ports.clock);

  /** Every page, as one. */
  async function all(person: TestClient, q: string, count = 50): Promise<SearchHit[]> {
    const hits: SearchHit[] = [];
    for (let cursor: string | null = null; ;) {
      const page: SearchPage = await person.ok(searchSessions, {
        q,
        count,
        ...(cursor === null ? {} : { cursor }),
      });
      expect(page.hits.length).toBeLessThanOrEqual(count);
      hits.push(...page.hits);
      cursor = page.next_cursor;
      if (cursor === null) return hits;
    }
  }

  const found = async (person: TestClient, q: string) =>
    (await all(person, q)).map(({ message_id: id, role }) => (id === null ? "title" : `${role} ${id}`));

  it("finds what the table says, as it was said before there was an index", async () => {
    const person = await app.signedIn();
    const names = Object.keys(searchDocuments);
    const texts = Object.values(searchDocuments).map((text, n): StoredText => ({ text, at: 1000 + n }));
    const session = await storeHistory(app.db, idOf(person), texts);
    await index();
    const wrong: string[] = [];
    for (const [query, wanted] of searchTable) {
      const hits = await all(person, query);
      const said = hits.map(({ message_id: id }) => names[(id ?? 0) - 1]).toReversed();
      if (said.join(" ") !== wanted) wrong.push(`${query}: ${said.join(" ")}, not ${wanted}`);
      for (const hit of hits) {
        expect(hit.chat_session.id).toBe(session);
        const points = [...hit.snippet];
        expect(points.length).toBeLessThanOrEqual(200);
        expect(hit.ranges.length).toBeGreaterThan(0);
        for (const [from, to] of hit.ranges) expect(points.slice(from, to).join("").trim()).not.toBe("");
      }
    }
    expect(wrong).toEqual([]);
    expect(await found(person, "thoughtword")).toEqual([]);
  });

  it("finds an answer as it was written, and as it is shown", async () => {
    const person = await app.signedIn();
    const said =
      "这是**机器学习**的核心概念, `Promise`对象, **Rust**'s *state*-of-the-art, see [the docs](https://a.example) for";
    await storeHistory(app.db, idOf(person), [
      { text: "Is it pre**fix**ed?", at: 999 },
      { text: said, at: 1000 },
    ]);
    await index();
    for (const q of ["机器学习的核心", "Promise对象", "Rust's", "state-of-the-art", "docs for"]) {
      const [hit] = await all(person, q);
      const points = [...(hit?.snippet ?? "")];
      const marked = hit?.ranges.map(([from, to]) => points.slice(from, to).join(""));
      expect(marked?.join(" "), q).toBe(q);
    }
    // A question is shown as it was written.
    expect(await all(person, "prefixed")).toEqual([]);
    for (const q of ["**机器学习**", "`Promise`", "(https://a.example)"])
      expect(await all(person, q), q).toHaveLength(1);
  });

  it("finds no answer by its marks of citations, and shows none; what was asked is as it was written", async () => {
    const person = await app.signedIn();
    await storeHistory(app.db, idOf(person), [
      { text: "What does [citation:1] mean?", at: 999 },
      { text: "In 2023[citation:1] it rained 【citation:2】here: 雨[citation: 1, 2]水.", at: 1000 },
    ]);
    await index();
    expect(await found(person, "citation")).toEqual(["USER 1"]);
    expect(await found(person, "citation:1")).toEqual(["USER 1"]);
    for (const q of ["2023 it rained", "雨水", "rained here"]) {
      const [hit] = await all(person, q);
      expect(hit?.snippet, q).toBe("In 2023 it rained here: 雨水.");
    }
    // On the page the marks stand between the words, without a blank, too.
    await storeHistory(app.db, idOf(person), [
      { text: "Walls?", at: 1001 },
      { text: "A wall[citation:1][citation:2]stands [citation:3][citation:4]upright[citation:5]!", at: 1002 },
    ]);
    await index();
    for (const q of ["wall", "stands", "upright"]) {
      const [hit] = await all(person, q);
      expect(hit?.snippet, q).toBe("A wall stands upright!");
    }
  });

  it("finds what a plain scan finds, newest first, over many blocks, page by page", async () => {
    const person = await app.signedIn();
    const other = await app.signedIn();
    const words = [
      "alpha",
      "Beta",
      "gämma",
      "中国",
      "国人",
      "かな",
      "한국",
      "fooBar",
      "🎉",
      "x1",
      "-",
      "delta.",
    ];
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const make = () =>
      Array.from({ length: 1 + next(5) }, () => words[next(words.length)]).join(next(3) === 0 ? "" : " ");
    // Times go to and fro, so that blocks overlap.
    const texts = Array.from({ length: 1200 }, (_, n): StoredText => ({
      text: make(),
      at: 10_000 + ((n * 7919) % 1201),
    }));
    await storeHistory(app.db, idOf(person), texts);
    await storeHistory(app.db, idOf(other), texts.slice(0, 20));
    await index();
    expect(
      await app.db.kysely
        .selectFrom("history_blocks")
        .select("id")
        .where("user_id", "=", idOf(person))
        .execute(),
    ).toHaveLength(3);
    for (let n = 0; n < 60; n += 1) {
      const query = `${make()}${n % 2 === 0 ? "" : " a"}`;
      if (!/[\p{L}\p{N}🎉]/u.test(query)) continue;
      const wanted = texts
        .flatMap(({ text, at }, index) => (plainSearch(query, text) ? [{ at, id: index + 1 }] : []))
        .sort((a, b) => b.at - a.at);
      const hits = await all(person, query, n % 3 === 0 ? 7 : 50);
      expect(
        hits.map(({ message_id: id }) => id),
        query,
      ).toEqual(wanted.map(({ id }) => id));
    }
  }, 60_000);

  it("finds prompts and answers of all branches from their end on, titles, and nothing of others", async () => {
    const person = await app.signedIn();
    const other = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    await person.ok(updateSessionTitle, { chat_session_id: id, title: "Titleword before" });
    expect(await found(person, "titleword")).toEqual([]);

    let run = app.model.next();
    let stream = await person.stream(completion, { chat_session_id: id, prompt: "Promptword one" });
    let answer = await run;
    expect(await found(person, "promptword")).toEqual(["USER 1"]);
    expect(await found(person, "titleword")).toEqual(["title"]);
    answer.think("Thoughtword");
    answer.say("Answerword one");
    answer.end();
    await stream.ended;
    expect(await found(person, "answerword")).toEqual(["ASSISTANT 2"]);
    expect(await found(person, "thoughtword")).toEqual([]);

    run = app.model.next();
    stream = await person.stream(editMessage, {
      chat_session_id: id,
      message_id: 1,
      prompt: "Promptword two",
    });
    answer = await run;
    answer.say("Answerword two");
    answer.end();
    await stream.ended;
    run = app.model.next();
    stream = await person.stream(regenerate, { chat_session_id: id, child_message_id: 2 });
    answer = await run;
    answer.say("Answerword three");
    answer.end();
    await stream.ended;
    expect((await found(person, "promptword")).sort()).toEqual(["USER 1", "USER 3"]);
    expect((await found(person, "answerword")).sort()).toEqual(["ASSISTANT 2", "ASSISTANT 4", "ASSISTANT 5"]);
    expect(await found(person, "answerword two")).toEqual(["ASSISTANT 4"]);

    await person.ok(updateSessionTitle, { chat_session_id: id, title: "Renamedword" });
    expect(await found(person, "titleword")).toEqual([]);
    const [title] = (await person.ok(searchSessions, { q: "renamed" })).hits;
    expect(title).toMatchObject({
      message_id: null,
      role: null,
      snippet: "Renamedword",
      ranges: [[0, 7]],
      chat_session: { id, title: "Renamedword" },
    });
    for (const word of ["promptword", "answerword", "renamedword"])
      expect(await found(other, word)).toEqual([]);

    await person.ok(deleteSession, { chat_session_id: id });
    for (const word of ["promptword", "answerword", "renamedword"])
      expect(await found(person, word)).toEqual([]);
  });

  it("finds a reply that was stopped and continued under all its words, once", async () => {
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    let run = app.model.next();
    const stream = await person.stream(completion, { chat_session_id: id, prompt: "Tell me" });
    let answer = await run;
    answer.say("Firsthalf and ");
    await stream.waitFor((event) => JSON.stringify(event).includes("Firsthalf"));
    await person.ok(stopStream, { chat_session_id: id, message_id: 2 });
    await stream.ended;
    expect(await found(person, "firsthalf")).toEqual(["ASSISTANT 2"]);
    run = app.model.next();
    const again = await person.stream(continueMessage, { chat_session_id: id, message_id: 2 });
    answer = await run;
    answer.say("secondhalf");
    answer.end();
    await again.ended;
    expect(await found(person, "firsthalf secondhalf")).toEqual(["ASSISTANT 2"]);
    expect(await found(person, "and")).toEqual(["ASSISTANT 2"]);
  });

  it("leaves no word of what was deleted in the index [EXP-018]", async () => {
    const person = await app.signedIn();
    const canary = "xylophonist";
    const kept = "glockenspieler";
    const texts = [
      canary,
      `${canary} 木琴演奏家 ${"and more ".repeat(50)}`,
      Array.from({ length: 3000 }, (_, n) => `${canary}${n}`).join(" "),
    ];
    const session = await storeHistory(
      app.db,
      idOf(person),
      texts.map((text, n) => ({ text, at: n + 1 })),
      canary,
    );
    const other = await app.signedIn();
    await storeHistory(app.db, idOf(other), [{ text: kept, at: 1 }], kept);
    await index();
    const traces = async (word: string): Promise<boolean> => {
      if (engine === "postgres") {
        const { rows } = await sql`select id from history_docs where words::text like ${`%${word}%`}`.execute(
          app.db.kysely,
        );
        return rows.length > 0;
      }
      const files = readdirSync(app.config.dataDir).filter((name) => name.startsWith("plumb.db"));
      return files.some((name) => readFileSync(join(app.config.dataDir, name)).includes(word));
    };
    expect(await traces(canary)).toBe(true);
    expect(await traces("琴演")).toBe(true);
    expect(await found(person, canary)).toHaveLength(4);
    await person.ok(deleteSession, { chat_session_id: session });
    expect(await found(person, canary)).toEqual([]);
    await forgetAllWords(app.db, app.app.deps.ports.clock);
    await expect.poll(() => traces(canary), { timeout: 20_000 }).toBe(false);
    expect(await traces("琴演")).toBe(false);
    expect(await traces(kept)).toBe(true);
    expect(await found(other, kept)).toEqual(["USER 1", "title"]);
    const left = await app.db.kysely
      .selectFrom("history_blocks")
      .select("id")
      .where("user_id", "=", idOf(person))
      .execute();
    expect(left).toEqual([]);
    if (engine === "sqlite") {
      await sql`insert into history_words (history_words) values ('integrity-check')`.execute(app.db.kysely);
      expect(await app.db.kysely.selectFrom("history_gone").selectAll().execute()).toEqual([]);
    }
  });

  it("is not left without an index by a deletion of all, nor by a session that is gone while it waits", async () => {
    const person = await app.signedIn();
    await storeHistory(app.db, idOf(person), [{ text: "waitingword", at: 1 }]);
    await person.ok(deleteAllSessions, {});
    await index();
    expect(await found(person, "waitingword")).toEqual([]);
    expect(await app.db.kysely.selectFrom("history_waiting").selectAll().execute()).toEqual([]);
    await storeHistory(app.db, idOf(person), [{ text: "waitingword", at: 1 }]);
    await index();
    expect(await found(person, "waitingword")).toEqual(["USER 1"]);
  });

  it("finds a copy of a share as one's own, and the share as its owner's alone", async () => {
    const [owner, reader] = [await app.signedIn(), await app.signedIn()];
    const { id } = await owner.ok(createSession, {});
    await (
      await owner.stream(completion, { chat_session_id: id, prompt: "Sharedword" })
    ).ended;
    const share = await owner.ok(createShare, { chat_session_id: id, message_ids: [1, 2] });
    await reader.ok(forkShare, { share_id: share.share_id });
    await index();
    expect(await found(reader, "sharedword")).toContain("USER 1");
    await owner.ok(deleteSession, { chat_session_id: id });
    expect(await found(reader, "sharedword")).toContain("USER 1");
    expect(await found(owner, "sharedword")).toEqual([]);
  });

  it("reads a bounded number of texts in one call, and goes on with the next", async () => {
    const person = await app.signedIn();
    const texts = Array.from({ length: 700 }, (_, n): StoredText => ({
      text: n === 3 ? "甲乙丙" : "甲乙 乙丙",
      at: n + 1,
    }));
    await storeHistory(app.db, idOf(person), texts);
    await index();
    const pages: SearchPage[] = [];
    for (let cursor: string | null = null; ;) {
      const page: SearchPage = await person.ok(searchSessions, {
        q: "甲乙丙",
        ...(cursor === null ? {} : { cursor }),
      });
      pages.push(page);
      cursor = page.next_cursor;
      if (cursor === null) break;
    }
    expect(pages.length).toBeGreaterThan(3);
    expect(pages.slice(0, -1).flatMap(({ hits }) => hits)).toEqual([]);
    expect(pages.at(-1)?.hits.map(({ message_id: id }) => id)).toEqual([4]);
  });

  it("comes to an end with what it has where its user asks for others, and goes on from there", async () => {
    const person = await app.signedIn();
    const texts = Array.from({ length: 40 }, (_, n): StoredText => ({
      text: n % 20 === 3 ? "甲乙丙" : "甲乙 乙丙",
      at: n + 1,
    }));
    await storeHistory(app.db, idOf(person), texts);
    await index();
    const query = parseSearchQuery("甲乙丙");
    if (query === null) throw new Error("a query without a word");
    const asked = { userId: idOf(person), query, count: 20, running: { isOver: true } };
    const hits: (number | null)[] = [];
    let calls = 0;
    for (let cursor: string | null = null; ; calls += 1) {
      const page: SearchPage = await searchHistory(app.db, { ...asked, cursor });
      hits.push(...page.hits.map(({ message_id: id }) => id));
      cursor = page.next_cursor;
      if (cursor === null) break;
    }
    expect(hits).toEqual([24, 4]);
    expect(calls).toBeGreaterThan(30);
  });

  it("has one large text in memory at a time, and of searches that are over none but the first", async () => {
    const person = await app.signedIn();
    // Found by few words; most of what is read is a thought.
    const id = await storeHistory(
      app.db,
      idOf(person),
      Array.from({ length: 30 }, (_, n): StoredText => ({ text: "Largeword", at: n + 1 })),
    );
    const thought = { id: 1, type: "THINK", content: "x".repeat(1_000_000), elapsed_secs: 1 };
    const fragments = JSON.stringify([thought, { id: 2, type: "RESPONSE", content: "Largeword" }]);
    await app.db.kysely.updateTable("messages").set({ fragments }).where("session_id", "=", id).execute();
    await index();
    const query = parseSearchQuery("largeword");
    if (query === null) throw new Error("a query without a word");
    const read: number[] = [];
    const kysely = app.db.kysely.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        const large = result.rows.filter(
          ({ fragments: text }) => typeof text === "string" && text.length > 1_000_000,
        );
        if (large.length > 0) read.push(large.length);
        return result;
      },
    });
    const running = { isOver: true };
    const asked = { userId: idOf(person), query, count: 30, cursor: null, running };
    const first = await searchHistory({ ...app.db, kysely }, asked);
    expect([first.hits.map(({ message_id: message }) => message), read]).toEqual([[30], [1]]);
    // What is stored with the words counts, too: a thought is read with them.
    running.isOver = false;
    read.length = 0;
    const page = await searchHistory({ ...app.db, kysely }, { ...asked, cursor: first.next_cursor });
    expect(page.hits.map(({ message_id: message }) => message)).toEqual(
      Array.from({ length: 16 }, (_, n) => 29 - n),
    );
    expect(read).toEqual(Array.from({ length: 16 }, () => 1));
    expect(page.next_cursor).not.toBeNull();
  });

  it("asks one block where its user asks for others, also while it finds nothing", async () => {
    const person = await app.signedIn();
    for (let n = 1; n <= 5; n += 1) {
      const text = { userId: idOf(person), sessionId: "many blocks", messageId: n, at: n };
      await app.db.transaction((trx) => addText(app.db, trx, text, ["one", "other"]));
      // Full: the next text is in another one.
      await app.db.kysely
        .updateTable("history_blocks")
        .set({ given: 512 })
        .where("user_id", "=", idOf(person))
        .execute();
    }
    const query = parseSearchQuery("one none");
    if (query === null) throw new Error("a query without a word");
    let questions = 0;
    const kysely = app.db.kysely.withPlugin({
      transformQuery({ node }) {
        if (node.kind === "RawNode") questions += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const asked = { userId: idOf(person), query, count: 20 };
    const over = { ...asked, cursor: null, running: { isOver: true } };
    const { hits, next_cursor: cursor } = await searchHistory({ ...app.db, kysely }, over);
    expect([hits, questions]).toEqual([[], 1]);
    const last = { ...asked, cursor, running: { isOver: false } };
    expect(await searchHistory({ ...app.db, kysely }, last)).toEqual({ hits: [], next_cursor: null });
    expect(questions).toBe(5);
  });

  it("asks no block of more words than it can go through at once, however many begin alike", async () => {
    const person = await app.signedIn();
    const sizes = [...Array.from({ length: 26 }, () => 20_000), 100, 1];
    let word = 0;
    for (const [n, size] of sizes.entries()) {
      const text = { userId: idOf(person), sessionId: "many words", messageId: n + 1, at: n };
      const words = Array.from({ length: size }, () => `a${(word += 1).toString(36)}`);
      await app.db.transaction((trx) => addText(app.db, trx, text, words));
    }
    const blocks = await app.db.kysely
      .selectFrom("history_docs")
      .select(({ fn }) => fn.countAll<number>().as("texts"))
      .where("user_id", "=", idOf(person))
      .groupBy("block")
      .orderBy("block")
      .execute();
    expect(blocks.map(({ texts }) => Number(texts))).toEqual([26, 2]);
  }, 60_000);

  it("refuses a query without a word, and what is no count and no cursor", async () => {
    const person = await app.signedIn();
    for (const q of ["", "  ", "?!", "—"]) {
      const { envelope } = await person.call(searchSessions, { q });
      expect([envelope.data?.biz_code, envelope.data?.biz_msg]).toEqual([1, "EMPTY_QUERY"]);
    }
    expect(
      (await person.ok(searchSessions, { q: "word", cursor: "999999999999999.999999999999999" })).hits,
    ).toEqual([]);
  });
});
