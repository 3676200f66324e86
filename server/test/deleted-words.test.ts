// No word of what somebody has deleted is kept: not in a row, a page of the database's file, the index, an object or the log.
// Each place that takes words gets one of its own, which nothing else says.
import { randomInt } from "node:crypto";
import { createCharacter } from "@plumb/protocol/wire/agents";
import { beginImport } from "@plumb/protocol/wire/imports";
import { downloadExportHistory, exportAll } from "@plumb/protocol/wire/exports";
import { messageFeedback } from "@plumb/protocol/wire/feedback";
import { deleteAllSessions } from "@plumb/protocol/wire/history";
import { unregister } from "@plumb/protocol/wire/own-account";
import { createSession, deleteSession, updateSessionTitle } from "@plumb/protocol/wire/sessions";
import { createShare, forkShare } from "@plumb/protocol/wire/sharing";
import { completion, regenerate } from "@plumb/protocol/wire/turns";
import { describe, expect, it } from "vitest";
import { imported, sendImport, zipOf } from "../src/features/imports/import.fixture.ts";
import type { GuardedFetch } from "../src/platform/http/guarded-fetch.ts";
import { createLogger } from "../src/platform/logger.ts";
import type { TestApp } from "./create-test-app.ts";
import { placesOfWords } from "./places-of-words.ts";
import { createScriptedSearch } from "./scripted-search.ts";
import { testApps } from "./test-apps.ts";
import { SkippingClock } from "./test-clock.ts";
import type { TestClient } from "./test-client.ts";
import { engines } from "./test-databases.ts";

const FILE = "file-00000000-0000-4000-8000-000000000001";
const DAY_MS = 24 * 3600 * 1000;

/** What is said in a chat, and what is kept beside chats. */
const inChats = [
  "prompt",
  "reply",
  "thought",
  "title",
  "filename",
  "filetext",
  "opinion",
  "query",
  "source",
  "page",
] as const;
const beside = ["persona", "greeting", "instructions", "loosename", "loosetext", "address"] as const;
/** What comes with an import: of its file, of a chat of it, of one that was left out. */
const inImports = [
  "archive",
  "chattitle",
  "chatprompt",
  "chatreply",
  "chatthought",
  "chatfile",
  "chattext",
  "leftout",
] as const;
type Place = (typeof inChats)[number] | (typeof beside)[number] | (typeof inImports)[number];
type Words = Record<Place, string>;

/** Letters that nobody else says; the place before them tells where they are from. */
const newWords = (): Words =>
  Object.fromEntries(
    [...inChats, ...beside, ...inImports].map((place) => [
      place,
      place + Array.from({ length: 14 }, () => String.fromCharCode(97 + randomInt(26))).join(""),
    ]),
  ) as Words;

/** What is looked for: an index keeps what words have in common with their neighbours once. */
const tails = (words: Words, places: readonly Place[]) =>
  new Map(places.map((place) => [place, words[place].slice(place.length + 2)]));

describe.each(engines)("what is deleted on %s", (engine) => {
  const lines: string[] = [];
  const search = createScriptedSearch();
  /** Pages say the word of their address. */
  const pages = new Map<string, string>();
  const fetchOutside: GuardedFetch = async (address) => {
    const url = new URL(address);
    const body = Buffer.from(
      `<p>${`All that is known of ${pages.get(url.hostname) ?? "it"}. `.repeat(20)}</p>`,
    );
    return { url, status: 200, cut: false, contentType: "text/html; charset=utf-8", body };
  };
  const log = createLogger("debug", { write: (line) => void lines.push(line) });
  // Counters are written; a slow machine may ask for long what became of a file.
  const settings = { RATE_LIMITS: "api_user_minute=1000000, any_ip_minute=1000000" };
  const open = testApps({ engine, search, fetchOutside, log, settings });

  /** A conversation that says all the words of chats, with its share; resolves with its id and the share's. */
  async function chat(
    app: TestApp,
    person: TestClient,
    words: Words,
  ): Promise<{ id: string; share: string }> {
    app.model.plan = JSON.stringify([words.query]);
    const host = `${words.source}.com`;
    pages.set(host, words.page);
    search.answer = () => [{ url: `https://${host}/`, title: words.source, snippet: words.source }];
    const file = await person.uploaded(`${words.filename}.txt`, `The file says ${words.filetext}.`);
    const { id } = await person.ok(createSession, {});
    const say = async (turn: object) => {
      const stream = await person.stream(completion, { chat_session_id: id, prompt: words.prompt, ...turn });
      await stream.ended;
    };
    await say({ search_enabled: true });
    const next = app.model.next();
    const said = say({ parent_message_id: 2, thinking_enabled: true });
    const run = await next;
    run.think(`I think of ${words.thought}. `);
    run.say(`The answer is ${words.reply}. `.repeat(500));
    run.end();
    await said;
    await say({ parent_message_id: 4, ref_file_ids: [file.id] });
    const again = await person.stream(regenerate, { chat_session_id: id, child_message_id: 6 });
    await again.ended;
    await person.ok(updateSessionTitle, { chat_session_id: id, title: words.title });
    const feedback = { feedback_type: "BAD", feedback_tag: "other", description: words.opinion } as const;
    await person.ok(messageFeedback, { chat_session_id: id, message_id: 2, ...feedback });
    const { share_id: share } = await person.ok(createShare, {
      chat_session_id: id,
      message_ids: [1, 2, 3, 4],
    });
    return { id, share };
  }

  /** What is kept beside chats: a persona, a file that was never sent. */
  async function keepBeside(person: TestClient, words: Words): Promise<void> {
    const { persona: name, greeting, instructions } = words;
    await person.ok(createCharacter, { name: name.slice(0, 20), greeting, instructions });
    await person.uploaded(`${words.loosename}.txt`, `It says ${words.loosetext}.`);
  }

  /** An upload with the words of imports. */
  const sessionsJson = (words: Words): string => {
    const user = { message_id: 1, parent_id: null, role: "USER", inserted_at: 1_700_000_000 };
    const reply = { message_id: 2, parent_id: 1, role: "ASSISTANT", inserted_at: 1_700_000_000 };
    const file = { id: FILE, file_name: `${words.chatfile}.txt`, file_size: 10 };
    const said = [
      { type: "THINK", content: words.chatthought },
      { type: "RESPONSE", content: words.chatreply },
    ];
    return JSON.stringify([
      {
        chat_session: { id: words.chattitle, title: words.chattitle, title_type: "USER" },
        chat_messages: [
          { ...user, fragments: [{ type: "REQUEST", content: words.chatprompt }], files: [file] },
          { ...reply, status: "FINISHED", fragments: said },
        ],
      },
      { chat_session: { id: words.leftout, title: words.leftout }, chat_messages: [] },
    ]);
  };

  async function importChats(person: TestClient, words: Words): Promise<void> {
    const zip = await zipOf({
      "sessions.json": sessionsJson(words),
      [`files/any.${FILE}.txt`]: `It says ${words.chattext}.`,
    });
    const status = await imported(person, `${words.archive}.zip`, zip);
    expect(status).toMatchObject({ status: "FINISHED", sessions_done: 2, sessions_skipped: 1 });
  }

  async function exported(person: TestClient): Promise<void> {
    await person.ok(exportAll, {});
    const status = async () => (await person.ok(downloadExportHistory, {})).status;
    await expect.poll(status, { timeout: 20_000 }).toBe("FINISHED");
  }

  /** The uploads of imports that have ended go when their jobs are done. */
  const noJobs = async (app: TestApp) => {
    const jobs = () => app.db.kysely.selectFrom("jobs").selectAll().execute();
    await expect.poll(jobs, { timeout: 20_000 }).toEqual([]);
  };

  const objects = async (app: TestApp) => {
    const keys: string[] = [];
    for await (const { key } of app.app.deps.ports.objectStore.list()) keys.push(key);
    return keys.sort();
  };

  /** None of these is anywhere, soon: jobs and the index have their own time. */
  const expectGone = async (app: TestApp, what: ReadonlyMap<string, string>) => {
    await expect.poll(() => placesOfWords(app, what), { timeout: 20_000, interval: 100 }).toEqual([]);
    const said = lines.join("");
    expect([...what].filter(([, word]) => said.includes(word)).map(([place]) => place)).toEqual([]);
  };

  /** Every one is somewhere: the test looks in the right places. */
  const expectThere = async (app: TestApp, what: ReadonlyMap<string, string>) => {
    const places = await placesOfWords(app, what);
    for (const place of what.keys()) expect(places.join("\n")).toContain(`${place} in`);
  };

  it("is a conversation: no word of it is left, and every word of the others", async () => {
    const app = await open();
    const person = await app.signedIn();
    const [gone, kept] = [newWords(), newWords()];
    const { id } = await chat(app, person, gone);
    await chat(app, person, kept);
    await expectThere(app, tails(gone, inChats));
    await person.ok(deleteSession, { chat_session_id: id });
    await expectGone(app, tails(gone, inChats));
    await expectThere(app, tails(kept, inChats));
  });

  it("is the history: no word of any conversation is left, nor what was exported of them [EXP-018]", async () => {
    const app = await open();
    const [person, other] = [await app.signedIn(), await app.signedIn()];
    const [gone, later, kept] = [newWords(), newWords(), newWords()];
    await chat(app, other, kept);
    await importChats(other, kept);
    await noJobs(app);
    const before = await objects(app);
    await chat(app, person, gone);
    await chat(app, person, later);
    await importChats(person, gone);
    await expectThere(app, tails(gone, [...inChats, ...inImports]));
    await exported(person);
    await person.ok(deleteAllSessions, {});
    await expectGone(app, new Map([...tails(gone, [...inChats, ...inImports]), ...tails(later, inChats)]));
    await expect.poll(() => objects(app), { timeout: 10_000 }).toEqual(before);
    await expectThere(app, tails(kept, [...inChats, ...inImports]));
  });

  it.each(["the history", "the account"])(
    "is %s while an import goes on: nothing of its file is left",
    async (what) => {
      const app = await open();
      const person = await app.signedIn();
      const words = newWords();
      const hung = new Promise<void>((resolve) => {
        app.app.deps.ports.conversationReader = {
          read: (_upload, signal) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener("abort", () => reject(signal.reason as Error));
              resolve();
            }),
          close: async () => {},
        };
      });
      await sendImport(person, `${words.archive}.json`, sessionsJson(words));
      await hung;
      const places = inImports.filter((place) => place !== "chattext");
      await expectThere(app, tails(words, places));
      if (what === "the history") await person.ok(deleteAllSessions, {});
      else await person.ok(unregister, {});
      await expectGone(app, tails(words, places));
      await noJobs(app);
      expect(await app.db.kysely.selectFrom("imports").selectAll().execute()).toEqual([]);
    },
  );

  it("is the account while a file to import comes: its sender is told, and nothing of it is left", async () => {
    const app = await open();
    const person = await app.signedIn();
    const words = newWords();
    let coming: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        coming = controller;
        const head = `content-disposition: form-data; name="file"; filename="${words.archive}.json"`;
        controller.enqueue(Buffer.from(`--b\r\n${head}\r\n\r\n${sessionsJson(words)}`));
      },
    });
    const headers = {
      ...(await person.proofFor(beginImport)),
      "content-type": "multipart/form-data; boundary=b",
    };
    const sending = person.request(beginImport.path, {
      method: "POST",
      headers,
      body,
      duplex: "half",
    } as RequestInit);
    await expect
      .poll(() => placesOfWords(app, tails(words, ["archive"])), { timeout: 10_000 })
      .not.toEqual([]);
    await person.ok(unregister, {});
    expect([503, 200]).toContain((await sending).status);
    coming?.close();
    await expectGone(app, tails(words, inImports));
    await noJobs(app);
    expect(await objects(app)).toEqual([]);
  });

  it("is the account: no word of its owner's is left, and after a day no name of it [ACCT-033] [ACCT-036]", async () => {
    const clock = new SkippingClock();
    const app = await open({ clock });
    const [person, other] = [app.client(), await app.signedIn()];
    const [gone, kept] = [newWords(), newWords()];
    await person.signUp(`${gone.address}@example.org`);
    const { share } = await chat(app, other, kept);
    await keepBeside(other, kept);
    await importChats(other, kept);
    await noJobs(app);
    const before = await objects(app);
    await chat(app, person, gone);
    await keepBeside(person, gone);
    await importChats(person, gone);
    await person.ok(forkShare, { share_id: share, client_fork_id: "a name" });
    await exported(person);
    await expectThere(app, tails(gone, [...inChats, ...inImports, ...beside.slice(1)]));

    await person.ok(unregister, {});
    const all = tails(gone, [...inChats, ...inImports, ...beside]);
    all.delete("address");
    await expectGone(app, all);
    await expect.poll(() => objects(app), { timeout: 10_000 }).toEqual(before);
    // Counters name an address and an account for a day: nobody gets more codes by deleting one.
    clock.skip(DAY_MS + 60_000);
    await expectGone(app, tails(gone, ["address"]));
    // Its number says nothing; the log has it.
    const number = new Map([["id", person.user?.id ?? ""]]);
    await expect.poll(() => placesOfWords(app, number), { timeout: 20_000, interval: 100 }).toEqual([]);
    await expectThere(app, tails(kept, [...inChats, ...inImports, ...beside.slice(1, -1)]));
    expect(
      JSON.stringify(await app.db.kysely.selectFrom("imported").select("user_id").execute()),
    ).not.toContain(person.user?.id);
    expect(await app.db.kysely.selectFrom("jobs").selectAll().execute()).toEqual([]);
  });
});
