// An import as its owner sees it: taken in, watched, cancelled, never doubled; on both databases.
import { messageFeedback } from "@plumb/protocol/wire/feedback";
import { deleteAllSessions, searchSessions } from "@plumb/protocol/wire/history";
import { beginImport, cancelImport, lastImport } from "@plumb/protocol/wire/imports";
import {
  createSession,
  deleteSession,
  fetchSessionPage,
  historyMessages,
  updateSessionTitle,
} from "@plumb/protocol/wire/sessions";
import { completion, regenerate } from "@plumb/protocol/wire/turns";
import { readFile, writeFile } from "node:fs/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTestApp, type TestApp, type TestAppOptions } from "../../../test/create-test-app.ts";
import { SkippingClock } from "../../../test/test-clock.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import { ProcessConversationReader } from "../../adapters/conversation-reader/process-conversation-reader.ts";
import { richConversation } from "../../adapters/conversation-reader/testing/chatgpt-export.fixture.ts";
import { richChat } from "../../adapters/conversation-reader/testing/open-webui-export.fixture.ts";
import { checkFiles } from "../../operator/check-files.ts";
import { checkInvariants } from "../../operator/check-invariants.ts";
import type { ConversationReader } from "../../ports/conversation-reader.ts";
import { breakOnce, exportedZip, imported, importEnded, sendImport, zipOf } from "./import.fixture.ts";

describe.each(engines)("imports on %s", (engine) => {
  const apps: TestApp[] = [];
  const open = async (options: TestAppOptions = {}): Promise<TestApp> => {
    const app = await createTestApp({ engine, ...options });
    apps.push(app);
    return app;
  };
  afterEach(async () => {
    for (const app of apps.splice(0).reverse()) await app.close();
  });
  const idOf = (person: TestClient) => person.user?.id ?? "";

  const sessionsOf = async (person: TestClient) =>
    (await person.ok(fetchSessionPage, { count: 100 })).chat_sessions;

  /** All that a person has, without the ids that the server draws. */
  async function historyOf(person: TestClient): Promise<unknown> {
    const sessions = await sessionsOf(person);
    const found = [];
    for (const { id } of sessions) {
      const { chat_session: session, chat_messages } = await person.ok(historyMessages, {
        chat_session_id: id,
      });
      found.push({
        ...session,
        id: "",
        seq_id: 0,
        messages: chat_messages.map((message) => ({
          ...message,
          client_stream_id: null,
          files: message.files.map((file) => file.file_name),
          // With the tokens of a file, whose frame in a prompt has a part of its id.
          accumulated_token_usage: chat_messages.some(({ files }) => files.length > 0)
            ? null
            : message.accumulated_token_usage,
        })),
      });
    }
    return found;
  }

  const sound = async (app: TestApp) => {
    expect((await checkInvariants(app.db)).violations).toEqual([]);
    expect((await checkFiles(app.db, app.app.deps.ports.objectStore)).violations).toEqual([]);
  };

  async function say(person: TestClient, prompt: string, extra: object = {}): Promise<string> {
    const { id } = await person.ok(createSession, {});
    await (
      await person.stream(completion, { chat_session_id: id, prompt, ...extra })
    ).ended;
    return id;
  }

  it("take in an own export: branches, thoughts, feedback, titles, times, texts of files; and nothing twice", async () => {
    const app = await open();
    const [anna, bert] = [await app.signedIn(), await app.signedIn()];
    const file = await anna.uploaded("notes.txt", "The secret word is xylophone");
    const first = await say(anna, "Hello | there", { ref_file_ids: [file.id] });
    await (
      await anna.stream(regenerate, { chat_session_id: first, child_message_id: 2 })
    ).ended;
    await anna.ok(messageFeedback, {
      chat_session_id: first,
      message_id: 2,
      feedback_type: "BAD",
      feedback_tag: "wrong",
      description: "not so",
    });
    const thinking = app.model.next();
    const second = anna.stream(completion, {
      chat_session_id: (await anna.ok(createSession, {})).id,
      prompt: "Think 你好",
      thinking_enabled: true,
    });
    const run = await thinking;
    run.think("A thought\u2028 of mine");
    run.say("An **answer**");
    run.end();
    await (
      await second
    ).ended;
    await anna.ok(updateSessionTitle, { chat_session_id: first, title: "By hand" });
    const zip = await exportedZip(app, anna);

    expect(await bert.ok(lastImport, {})).toBeNull();
    expect(await imported(bert, "export.zip", zip)).toMatchObject({
      status: "FINISHED",
      kind: "plumb",
      file_name: "export.zip",
      sessions_total: 2,
      sessions_done: 2,
      sessions_skipped: 0,
      skipped: [],
      error: null,
    });
    // What is said to be there is found.
    const { hits } = await bert.ok(searchSessions, { q: "there" });
    expect(hits.map(({ chat_session: session }) => session.id)).toContain((await sessionsOf(bert))[0]?.id);
    expect(await historyOf(bert)).toEqual(await historyOf(anna));
    await sound(app);

    const [chat] = await sessionsOf(bert);
    const { chat_messages: messages } = await bert.ok(historyMessages, { chat_session_id: chat?.id ?? "" });
    expect(messages[0]?.files[0]).toMatchObject({
      file_name: "notes.txt",
      status: "SUCCESS",
      from_share: true,
    });
    expect(messages[0]?.files[0]?.id).not.toBe(file.id);
    // It can be continued, with the text of its file.
    await (
      await bert.stream(completion, { chat_session_id: chat?.id ?? "", parent_message_id: 3, prompt: "More" })
    ).ended;
    expect(JSON.stringify(app.model.replies.at(-1)?.messages)).toContain("xylophone");

    for (const person of [bert, anna]) {
      const before = await historyOf(person);
      expect(await imported(person, "export.zip", zip)).toMatchObject({
        status: "FINISHED",
        sessions_done: 2,
        sessions_skipped: 2,
        skipped: [{ reason: "IMPORTED_BEFORE", count: 2, titles: ["By hand", "A title"] }],
      });
      expect(await historyOf(person)).toEqual(before);
    }
    // What was deleted may be taken in again.
    await bert.ok(deleteSession, { chat_session_id: chat?.id ?? "" });
    expect(await imported(bert, "export.zip", zip)).toMatchObject({ sessions_skipped: 1, sessions_done: 2 });
    expect(await sessionsOf(bert)).toHaveLength(2);
    await vi.waitFor(() => sound(app), { timeout: 20_000 });
  });

  const conversation = (n: number, extra: object = {}) => ({
    chat_session: {
      id: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
      title: `Session ${n}`,
      title_type: "USER",
      inserted_at: 1_700_000_000 + n,
      updated_at: 1_700_000_000 + n,
    },
    chat_messages: [
      {
        message_id: 1,
        parent_id: null,
        role: "USER",
        fragments: [{ id: 1, type: "REQUEST", content: `Question ${n}` }],
        inserted_at: 1_700_000_000 + n,
      },
      {
        message_id: 2,
        parent_id: 1,
        role: "ASSISTANT",
        status: "FINISHED",
        fragments: [{ id: 2, type: "RESPONSE", content: `Answer ${n}` }],
        inserted_at: 1_700_000_000 + n,
      },
    ],
    ...extra,
  });
  const bare = (...list: unknown[]) => JSON.stringify(list);

  it("list what was taken in among one's own by the times of their last changes", async () => {
    const app = await open();
    const person = await app.signedIn();
    const own = await say(person, "Now");
    await app.db.kysely
      .updateTable("sessions")
      .set({ updated_at: 1_700_000_002_500 })
      .where("id", "=", own)
      .execute();
    await imported(
      person,
      "a.json",
      bare(conversation(2), conversation(4), conversation(1), conversation(3)),
    );
    const page = async (before: number | null) =>
      (await person.ok(fetchSessionPage, { count: 2, before_seq_id: before })).chat_sessions;
    const titles = [];
    for (let before: number | null = null; ;) {
      const sessions = await page(before);
      titles.push(...sessions.map(({ title }) => title));
      before = sessions.at(-1)?.seq_id ?? null;
      if (before === null) break;
    }
    expect(titles).toEqual(["Session 4", "Session 3", "A title", "Session 2", "Session 1"]);
    await sound(app);
  });

  it("stop at nothing: what cannot be read is left out, counted and named", async () => {
    const app = await open({ settings: { MAX_MESSAGES_PER_SESSION: "4" } });
    const person = await app.signedIn();
    const long = conversation(2);
    const many = Array.from({ length: 5 }, (_none, index) => ({
      ...long.chat_messages[index % 2],
      message_id: index + 1,
      parent_id: index === 0 ? null : index,
    }));
    const text = bare(
      conversation(1),
      { ...long, chat_messages: many },
      { ...conversation(3), chat_messages: [] },
      "damaged",
      { title: `A game ${"that goes on ".repeat(3)}`, any: "thing" },
      conversation(6),
    );
    const status = await imported(person, "A.JSON", text.replace('"damaged"', "{17,}"));
    expect(status).toMatchObject({
      status: "FINISHED",
      sessions_total: 6,
      sessions_done: 6,
      sessions_skipped: 4,
      skipped: [
        { reason: "TOO_MANY_MESSAGES", count: 1, titles: ["Session 2"] },
        { reason: "EMPTY", count: 1, titles: ["Session 3"] },
        { reason: "UNREADABLE", count: 2, titles: ["A game that goes on that goes…"] },
      ],
    });
    expect((await sessionsOf(person)).map(({ title }) => title)).toEqual(["Session 6", "Session 1"]);
  });

  it("refuse before they read: another format, too large, a second one at once, too often, a muted account", async () => {
    const app = await open({ settings: { RATE_LIMITS: "" } });
    const person = await app.signedIn();
    const refused = async (name: string, content: string) =>
      (await sendImport(person, name, content)).envelope;
    expect((await refused("a.pdf", "[]")).data).toMatchObject({ biz_code: 2, biz_msg: "UNSUPPORTED_FORMAT" });
    expect((await refused("a.json", "")).data).toMatchObject({ biz_code: 2 });
    // What was refused does not count.
    const headers = { ...(await person.proofFor(beginImport)), "x-file-size": String(100 * 1024 * 1024 + 1) };
    const form = new FormData();
    form.append("file", new Blob(["[]"]), "a.json");
    const large = await person.request(beginImport.path, { method: "POST", headers, body: form });
    expect(await large.json()).toMatchObject({ data: { biz_code: 3, biz_msg: "FILE_TOO_LARGE" } });
    const without = await person.request(beginImport.path, { method: "POST", body: form });
    expect(await without.json()).toMatchObject({ code: 40300 });

    // Nor does a file that is none: the right one may be the next.
    expect(await imported(person, "a.json", bare({ any: "thing" }))).toMatchObject({ status: "FAILED" });
    expect(await imported(person, "a.json", bare(conversation(1)))).toMatchObject({ status: "FINISHED" });
    expect((await refused("a.json", bare(conversation(2)))).data).toMatchObject({
      biz_code: 1,
      biz_msg: "RATE_LIMIT",
    });
    await app.db.kysely
      .updateTable("users")
      .set({ muted_until: Date.now() + 60_000 })
      .where("id", "=", idOf(person))
      .execute();
    // A change of the account is known within a second.
    await vi.waitFor(
      async () => expect(await refused("a.json", bare(conversation(2)))).toMatchObject({ code: 50006 }),
      { timeout: 10_000 },
    );
    expect(await checkFiles(app.db, app.app.deps.ports.objectStore)).toMatchObject({
      objects: 0,
      violations: [],
    });
  });

  it.each([
    ["nothing of a known form", "a.json", bare({ any: "thing" }), "UNSUPPORTED_FORMAT"],
    ["no JSON", "a.json", "hello", "UNSUPPORTED_FORMAT"],
    ["a zip that is none", "a.zip", "PK\u0003\u0004 and no more", "UNREADABLE"],
  ])("fail with a reason: %s", async (_what, name, content, error) => {
    const app = await open();
    const person = await app.signedIn();
    expect(await imported(person, name, content)).toMatchObject({
      status: "FAILED",
      error,
      sessions_done: 0,
    });
    await vi.waitFor(
      async () =>
        expect(await checkFiles(app.db, app.app.deps.ports.objectStore)).toMatchObject({
          objects: 0,
          violations: [],
        }),
      { timeout: 20_000 },
    );
  });

  it("fail where a zip has no conversations", async () => {
    const app = await open();
    const person = await app.signedIn();
    expect(await imported(person, "a.zip", await zipOf({ "readme.txt": "hello" }))).toMatchObject({
      status: "FAILED",
      error: "UNSUPPORTED_FORMAT",
    });
  });

  it("take in exports of ChatGPT and Open WebUI, which go on as any chat does; and go with the history", async () => {
    const app = await open();
    const person = await app.signedIn();
    const zip = await zipOf({
      "chat.html": "<html></html>",
      "conversations-000.json": bare(richConversation),
      "conversations-001.json": bare({
        ...richConversation,
        conversation_id: "another",
        title: "Canary xylophone",
      }),
      "user.json": "{}",
    });
    expect(await imported(person, "chatgpt.zip", zip)).toMatchObject({
      status: "FINISHED",
      kind: "chatgpt",
      sessions_total: 2,
      sessions_skipped: 0,
    });
    expect(
      await imported(person, "webui.json", bare(richChat, { title: "Canary kazoo", mapping: {} })),
    ).toMatchObject({
      status: "FINISHED",
      kind: "open_webui",
      sessions_total: 2,
      sessions_skipped: 1,
      skipped: [{ reason: "EMPTY", count: 1, titles: ["Canary kazoo"] }],
    });
    const sessions = await sessionsOf(person);
    expect(sessions.map(({ title }) => title)).toEqual(["About birds", "Canary xylophone", "A talk"]);
    for (const { id, current_message_id: current } of sessions) {
      const stream = await person.stream(completion, {
        chat_session_id: id,
        parent_message_id: current,
        prompt: "Go on",
      });
      await stream.ended;
      const { chat_messages } = await person.ok(historyMessages, { chat_session_id: id });
      expect(chat_messages.at(-1)).toMatchObject({
        status: "FINISHED",
        parent_id: chat_messages.at(-2)?.message_id,
      });
      await (
        await person.stream(regenerate, { chat_session_id: id, child_message_id: 2 })
      ).ended;
    }
    await sound(app);
    await person.ok(deleteAllSessions, {});
    expect(await person.ok(lastImport, {})).toBeNull();
    for (const table of ["imports", "imported", "messages"] as const)
      expect(JSON.stringify(await app.db.kysely.selectFrom(table).selectAll().execute())).toBe("[]");
    await sound(app);
  });

  it("end when they are cancelled: what was taken in stays, by its owner alone, and the next may begin", async () => {
    let reading: (() => void) | null = null;
    const waits: ConversationReader = {
      read: (_upload, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
          reading?.();
        }),
      close: async () => {},
    };
    const app = await open({ conversationReader: waits });
    const [person, other] = [await app.signedIn(), await app.signedIn()];
    const began = new Promise<void>((resolve) => (reading = resolve));
    const { data } = await sendImport(person, "a.json", bare(conversation(1)));
    await began;
    expect((await sendImport(person, "b.json", bare(conversation(2)))).envelope.data).toMatchObject({
      biz_code: 4,
      biz_msg: "IMPORT_RUNNING",
    });
    expect(await other.ok(lastImport, {})).toBeNull();
    for (const [caller, id] of [
      [other, data.id],
      [person, data.id.replace(/.$/u, "g")],
      [person, ""],
      [person, "\0"],
    ] as const)
      expect((await caller.call(cancelImport, { import_id: id })).envelope.data).toMatchObject({
        biz_code: 1,
        biz_msg: "NO_IMPORT_RUNNING",
      });
    expect(await person.ok(cancelImport, { import_id: data.id })).toMatchObject({ status: "CANCELLED" });
    expect((await person.call(cancelImport, { import_id: data.id })).envelope.data).toMatchObject({
      biz_code: 1,
    });
    await vi.waitFor(
      async () =>
        expect(await checkFiles(app.db, app.app.deps.ports.objectStore)).toMatchObject({
          objects: 0,
          violations: [],
        }),
      { timeout: 10_000 },
    );
    expect(await person.ok(lastImport, {})).toMatchObject({ status: "CANCELLED" });
    expect((await sendImport(person, "b.json", bare(conversation(2)))).data.status).toBe("QUEUED");
  });

  it("end before the first chat of the history is deleted: nothing is taken in behind it", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
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
    await sendImport(person, "chats.json", "[]");
    await hung;
    const seen: unknown[] = [];
    app.app.deps.events.on("sessionsDeleting", async ({ sessionIds }) => {
      seen.push(sessionIds, await person.ok(lastImport, {}));
    });
    await person.ok(deleteAllSessions, {});
    expect(seen).toEqual([[id], null]);
  });

  it.each(["the next one", "the end of the history"])(
    "leave nothing half made where %s comes before that is taken away",
    async (what) => {
      const app = await open();
      const person = await app.signedIn();
      const { id } = await imported(person, "a.json", bare(conversation(1)));
      const jobs = () => app.db.kysely.selectFrom("jobs").selectAll().execute();
      await expect.poll(jobs, { timeout: 10_000 }).toEqual([]);
      // As one that was cancelled in the middle, and whose job waits.
      const user = { user_id: idOf(person) };
      await app.db.kysely.updateTable("imports").set({ status: "CANCELLED", making: "half" }).execute();
      await app.db.kysely
        .insertInto("session_copies")
        .values({ ...user, session_id: "half", began_at: Date.now() })
        .execute();
      const later = { owner: "", epoch: 1, attempts: 0, renewed_at: 0, due_at: Date.now() + 3_600_000 };
      await app.db.kysely
        .insertInto("jobs")
        .values({ ...user, ...later, subject: id, kind: "import-remove" })
        .execute();
      if (what === "the next one") await imported(person, "b.json", bare(conversation(2)));
      else await person.ok(deleteAllSessions, {});
      await app.db.kysely.updateTable("jobs").set({ due_at: 0 }).execute();
      await expect.poll(jobs, { timeout: 10_000 }).toEqual([]);
      expect(await app.db.kysely.selectFrom("session_copies").selectAll().execute()).toEqual([]);
      const rows = await app.db.kysely.selectFrom("imports").select("id").execute();
      expect(rows.map((row) => row.id)).not.toContain(id);
    },
  );

  it("leave nothing of a conversation in the middle of which the reader breaks down, and keep their order where they are cancelled", async () => {
    const app = await open();
    const hangs = breakOnce(app, 20_000);
    const person = await app.signedIn();
    const own = await say(person, "Now");
    await app.db.kysely
      .updateTable("sessions")
      .set({ updated_at: 1_700_000_001_500 })
      .where("id", "=", own)
      .execute();
    const many = Array.from({ length: 300 }, (_none, index) => ({
      ...conversation(3).chat_messages[index % 2],
      message_id: index + 1,
      parent_id: index === 0 ? null : index,
    }));
    const long = { ...conversation(3), chat_messages: many };
    const { data } = await sendImport(person, "a.json", bare(conversation(2), conversation(1), long));
    await hangs;
    expect(await person.ok(lastImport, {})).toMatchObject({
      status: "RUNNING",
      sessions_done: 3,
      skipped: [{ reason: "UNREADABLE", count: 1, titles: ["Session 3"] }],
    });
    expect(await app.db.kysely.selectFrom("session_copies").selectAll().execute()).toEqual([]);
    await person.ok(cancelImport, { import_id: data.id });
    await vi.waitFor(
      async () => expect(await app.db.kysely.selectFrom("jobs").selectAll().execute()).toEqual([]),
      { timeout: 10_000 },
    );
    expect((await sessionsOf(person)).map(({ title }) => title)).toEqual([
      "Session 2",
      "A title",
      "Session 1",
    ]);
    await sound(app);
  });

  it("of numbers that nothing can be added to leaves a chat that can be used", async () => {
    const app = await open();
    const person = await app.signedIn();
    const most = Number.MAX_SAFE_INTEGER;
    const chat = conversation(1);
    const hostile = {
      chat_session: {
        ...chat.chat_session,
        version: most,
        seq_id: most,
        inserted_at: most,
        updated_at: most,
      },
      chat_messages: chat.chat_messages.map((message) => ({ ...message, accumulated_token_usage: most })),
    };
    expect(await imported(person, "a.json", bare(hostile))).toMatchObject({ sessions_skipped: 0 });
    const [session] = await sessionsOf(person);
    await person.ok(updateSessionTitle, { chat_session_id: session?.id ?? "", title: "By hand" });
    expect((await sessionsOf(person)).map(({ title }) => title)).toEqual(["By hand"]);
    await (
      await person.stream(completion, {
        chat_session_id: session?.id ?? "",
        parent_message_id: 2,
        prompt: "Go on",
      })
    ).ended;
    expect(await sessionsOf(person)).toHaveLength(1);
  });

  it("go on after a conversation at which the reader breaks down, however many before it are left out", async () => {
    const reader = new ProcessConversationReader({ heapMb: 40 });
    const app = await open({ conversationReader: reader });
    const person = await app.signedIn();
    const text = bare(conversation(2), 1, 2, 3, 4, 5, "large", conversation(1)).replace(
      '"large"',
      `[${"{},".repeat(2_000_000)}{}]`,
    );
    expect(await imported(person, "a.json", text)).toMatchObject({
      status: "FINISHED",
      sessions_done: 8,
      skipped: [{ reason: "UNREADABLE", count: 6 }],
    });
    expect((await sessionsOf(person)).map(({ title }) => title)).toEqual(["Session 2", "Session 1"]);
  });

  it.each(["it is cancelled", "the history is deleted"])(
    "leave no file of a conversation that did not come to its end where %s",
    async (what) => {
      const app = await open();
      // The text of the file has come, and not all of the messages.
      const hangs = breakOnce(app, 60);
      const person = await app.signedIn();
      const file = "file-00000000-0000-4000-8000-000000000001";
      const { chat_messages: said, ...rest } = conversation(1);
      const files = [{ id: file, file_name: "diary.txt", file_size: 10 }];
      const zip = await zipOf({
        "sessions.json": bare({ ...rest, chat_messages: [{ ...said[0], files }, said[1]] }),
        [`files/diary.${file}.txt`]: "What nobody shall read",
      });
      const { data } = await sendImport(person, "a.zip", zip);
      await hangs;
      const names = async () =>
        (await app.db.kysely.selectFrom("files").select("name").execute()).map(({ name }) => name);
      expect(await names()).toEqual(["diary.txt"]);
      if (what === "it is cancelled") await person.ok(cancelImport, { import_id: data.id });
      else await person.ok(deleteAllSessions, {});
      await expect.poll(names, { timeout: 10_000 }).toEqual([]);
      await vi.waitFor(
        async () =>
          expect(await checkFiles(app.db, app.app.deps.ports.objectStore)).toMatchObject({ objects: 0 }),
        { timeout: 10_000 },
      );
      await sound(app);
    },
  );

  it("go on after a conversation at which the reader breaks down, and give up an upload at which it always does", async () => {
    const app = await open();
    const real = app.app.deps.ports.conversationReader;
    const asked: number[] = [];
    app.app.deps.ports.conversationReader = {
      read: async (upload, signal) => {
        asked.push(upload.after);
        const result = await real.read(upload, signal);
        return asked.length <= 2 ? { kind: "broke" } : result;
      },
      close: async () => {},
    };
    const person = await app.signedIn();
    const text = bare(conversation(1), conversation(2), conversation(3), conversation(4));
    expect(await imported(person, "a.json", text)).toMatchObject({ status: "FINISHED" });
    expect(asked.length).toBe(3);

    app.app.deps.ports.conversationReader = {
      read: async ({ recordsPath }) => {
        await writeFile(recordsPath, "");
        return { kind: "broke" };
      },
      close: async () => {},
    };
    expect(await imported(person, "b.json", bare(conversation(9)))).toMatchObject({
      status: "FAILED",
      error: "UNREADABLE",
    });
    expect(await importEnded(person)).toMatchObject({ sessions_done: 0 });
  });

  it("let those that wait go first where the reader breaks down after long", async () => {
    const clock = new SkippingClock();
    const app = await open({ clock });
    const [slow, quick] = [await app.signedIn(), await app.signedIn()];
    const real = app.app.deps.ports.conversationReader;
    const read: string[] = [];
    let bothWait = (): void => {};
    const waiting = new Promise<void>((resolve) => (bothWait = resolve));
    app.app.deps.ports.conversationReader = {
      read: async (upload, signal) => {
        const isSlow = (await readFile(upload.path, "utf8")).includes("Session 1");
        read.push(isSlow ? "slow" : "quick");
        if (read.length > 1) return real.read(upload, signal);
        await waiting;
        clock.skip(60_000);
        const begun = [
          { type: "source", kind: "plumb" },
          { type: "begin", place: 1, title: "Session 1" },
        ];
        await writeFile(upload.recordsPath, begun.map((record) => `${JSON.stringify(record)}\n`).join(""));
        return { kind: "broke" };
      },
      close: async () => {},
    };
    await sendImport(slow, "a.json", bare(conversation(1), conversation(3)));
    await sendImport(quick, "b.json", bare(conversation(2)));
    bothWait();
    expect(await importEnded(quick)).toMatchObject({ status: "FINISHED", sessions_skipped: 0 });
    expect(await importEnded(slow)).toMatchObject({ status: "FINISHED", sessions_done: 2 });
    // The other one did not wait for it, and what is left of it was read once more.
    expect(read.slice(0, 2)).toEqual(["slow", "quick"]);
    expect(read.filter((one) => one === "slow")).toHaveLength(2);
  });
});
