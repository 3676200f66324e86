// What a user may ask of the model, over real connections and on both databases: every refusal and that it wrote
// nothing, branches, what a failed send leaves behind, quota, titles, and calls at the same instant.
import { LIMITS } from "@plumb/protocol/limits";
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { featureQuota } from "@plumb/protocol/wire/accounts";
import type { Call } from "@plumb/protocol/wire/call";
import { resumeStream, stopStream } from "@plumb/protocol/wire/replies";
import {
  createSession,
  deleteSession,
  historyMessages,
  updateSessionTitle,
} from "@plumb/protocol/wire/sessions";
import { completion, continueMessage, editMessage, regenerate } from "@plumb/protocol/wire/turns";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTestApp, type TestApp, type TestAppOptions } from "../../../test/create-test-app.ts";
import type { EventStreamReader } from "../../../test/event-stream-reader.ts";
import type { ScriptedRun } from "../../../test/scripted-model.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";

const fold = (events: readonly ReceivedEvent[]) => events.reduce(reduceReply, emptyReply());
const kinds = (events: readonly ReceivedEvent[]) =>
  events.map((event) => (event.type === "delta" ? "D" : event.type)).join(" ");

describe.each(engines)("turns on %s", (engine) => {
  const apps: TestApp[] = [];
  const open = async (options: TestAppOptions = {}): Promise<TestApp> => {
    const app = await createTestApp({ engine, ...options });
    apps.push(app);
    return app;
  };
  afterEach(async () => {
    for (const app of apps.splice(0).reverse()) await app.close();
  });

  const history = (person: TestClient, id: string) => person.ok(historyMessages, { chat_session_id: id });

  /** A new session with a finished exchange: messages 1 and 2. */
  async function talk(person: TestClient, prompt = "Hello"): Promise<string> {
    const { id } = await person.ok(createSession, {});
    await (
      await person.stream(completion, { chat_session_id: id, prompt })
    ).ended;
    return id;
  }

  /** A reply that runs and has said `words`. */
  async function running(
    app: TestApp,
    person: TestClient,
    input: {
      chat_session_id: string;
      prompt: string;
      parent_message_id?: number;
      thinking_enabled?: boolean;
    },
    words = "So far ",
  ): Promise<{ stream: EventStreamReader; run: ScriptedRun }> {
    const next = app.model.next();
    const stream = await person.stream(completion, input);
    const run = await next;
    if (words !== "") {
      run.say(words);
      await stream.waitForType("delta");
    }
    return { stream, run };
  }

  /** All rows of people's conversations and quotas: what a refused call must leave as it was. */
  async function stored(app: TestApp): Promise<string> {
    const { kysely } = app.db;
    const tables = ["sessions", "messages", "replies", "stream_log", "thinking_usage"] as const;
    const rows = await Promise.all(tables.map((table) => kysely.selectFrom(table).selectAll().execute()));
    return JSON.stringify(rows.map((table) => table.map((row) => JSON.stringify(row)).sort()));
  }

  /** Sends a call that must be refused, and checks that nothing was written. Returns `biz_code biz_msg`, or the code. */
  async function refused(
    app: TestApp,
    person: TestClient,
    call: Call,
    input: object,
  ): Promise<{ said: string; data: unknown }> {
    const before = await stored(app);
    const { envelope, data } = await person.call(call, input as never);
    expect(await stored(app)).toBe(before);
    return {
      said:
        envelope.code === 0 ? `${envelope.data?.biz_code} ${envelope.data?.biz_msg}` : String(envelope.code),
      data,
    };
  }

  it("are refused by the state of the conversation, and then nothing is written [STRM-023] [STRM-024] [STRM-028] [STRM-034] [STRM-036] [STRM-039] [STRM-042]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const id = await talk(person);
    const gone = await talk(person);
    await person.ok(deleteSession, { chat_session_id: gone });
    const send = { chat_session_id: id, prompt: "Next" };
    const table: [call: object, input: object, said: string][] = [
      [completion, { ...send, chat_session_id: crypto.randomUUID() }, "1 ILLEGAL_CHAT_SESSION_ID"],
      [completion, { ...send, chat_session_id: "" }, "1 ILLEGAL_CHAT_SESSION_ID"],
      [completion, { ...send, chat_session_id: gone }, "1 CHAT_SESSION_DELETED"],
      [completion, { chat_session_id: id }, "2 INVALID_PARAMS"],
      [completion, { ...send, client_stream_id: "x".repeat(65) }, "2 INVALID_PARAMS"],
      [completion, { ...send, client_stream_id: "x\0" }, "2 INVALID_PARAMS"],
      [completion, { ...send, parent_message_id: 1 }, "2 PARENT_MESSAGE_NOT_ASSISTANT"],
      [completion, { ...send, known_last_message_id: 1 }, "28 SESSION_HAS_NEWER_MESSAGES"],
      [completion, { ...send, known_last_message_id: "1", prompt: "" }, "28 SESSION_HAS_NEWER_MESSAGES"],
      [completion, { ...send, model: "another" }, "27 MODEL_NOT_AVAILABLE"],
      [completion, { ...send, parent_message_id: 3 }, "26 INVALID_PARENT_MESSAGE_ID"],
      [completion, { ...send, parent_message_id: 0 }, "26 INVALID_PARENT_MESSAGE_ID"],
      [completion, { ...send, parent_message_id: -1 }, "26 INVALID_PARENT_MESSAGE_ID"],
      [completion, { ...send, parent_message_id: "9007199254740991" }, "26 INVALID_PARENT_MESSAGE_ID"],
      [completion, { ...send, prompt: "" }, "6 EMPTY_PROMPT"],
      [completion, { ...send, prompt: " \n\u3000" }, "6 EMPTY_PROMPT"],
      [completion, { ...send, prompt: "\u200b\u2060" }, "6 EMPTY_PROMPT"],
      [completion, { ...send, prompt: "a\0b" }, "19 INVALID_UNICODE"],
      [completion, { ...send, prompt: "a\ud800" }, "19 INVALID_UNICODE"],
      [completion, { ...send, ref_file_ids: ["file-x"] }, "9 INVALID_FILE_REFERENCE"],
      [completion, { ...send, ref_file_ids: ["file-x"], thinking_enabled: true }, "13 THINKING_WITH_FILE"],
      [completion, { ...send, ref_file_ids: ["file-x"], search_enabled: true }, "17 SEARCH_WITH_FILE"],
      [regenerate, { chat_session_id: id, child_message_id: 1 }, "26 INVALID_MESSAGE_ID"],
      [regenerate, { chat_session_id: id, child_message_id: 9 }, "26 INVALID_MESSAGE_ID"],
      [regenerate, { chat_session_id: id, child_message_id: 2, model: "another" }, "27 MODEL_NOT_AVAILABLE"],
      [editMessage, { ...send, message_id: 2 }, "26 INVALID_MESSAGE_ID"],
      [editMessage, { ...send, message_id: 9 }, "26 INVALID_MESSAGE_ID"],
      [editMessage, { ...send, message_id: 1, prompt: " " }, "6 EMPTY_PROMPT"],
      [editMessage, { ...send, message_id: 1, prompt: "\u200b" }, "6 EMPTY_PROMPT"],
      [editMessage, { ...send, message_id: 1, prompt: "\udfff" }, "19 INVALID_UNICODE"],
      [editMessage, { ...send, message_id: 1, model: "another" }, "27 MODEL_NOT_AVAILABLE"],
      [continueMessage, { chat_session_id: id, message_id: 2 }, "23 MESSAGE_IS_NOT_LEAF"],
      [continueMessage, { chat_session_id: id, message_id: 1 }, "26 INVALID_MESSAGE_ID"],
      [continueMessage, { chat_session_id: id, message_id: 7 }, "26 INVALID_MESSAGE_ID"],
      [
        continueMessage,
        { chat_session_id: id, message_id: 7, fallback_to_resume: true },
        "26 INVALID_MESSAGE_ID",
      ],
      [resumeStream, { chat_session_id: id, message_id: 1 }, "7 RESUME_MESSAGE_NOT_FOUND"],
      [resumeStream, { chat_session_id: id, message_id: 99 }, "7 RESUME_MESSAGE_NOT_FOUND"],
    ];
    for (const [call, input, said] of table) {
      expect((await refused(app, person, call as Call, input)).said, JSON.stringify(input)).toBe(said);
    }
    expect(app.model.replies).toHaveLength(2);
  });

  it("are served whatever modes and model are asked for, and the message says what was done", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    const both = { search_enabled: true, thinking_enabled: true };
    const turns: [call: typeof completion, input: object][] = [
      [completion, { prompt: "Hi", search_enabled: true, model: "default", known_last_message_id: 0 }],
      [completion, { prompt: "Hi", ...both, model: "" }],
      [regenerate as never, { child_message_id: 2, ...both, model: null }],
      [editMessage as never, { message_id: 1, prompt: "Ho", search_enabled: true }],
    ];
    const done = [];
    for (const [call, input] of turns) {
      const stream = await person.stream(call, { chat_session_id: id, ...input } as never);
      const message = fold(await stream.ended).message;
      done.push([message?.thinking_enabled, message?.search_enabled, message?.model]);
    }
    expect(done).toEqual([
      [false, false, ""],
      [true, false, ""],
      [true, false, ""],
      [false, false, ""],
    ]);
    expect(app.model.replies.map((request) => request.thinking)).toEqual([false, true, true, false]);
  });

  it("are refused while a reply runs in the session, by where they stand [STRM-033] [STRM-040] [STRM-041]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const id = await talk(person);
    const { stream, run } = await running(app, person, {
      chat_session_id: id,
      prompt: "Next",
      parent_message_id: 2,
    });
    // 1 → 2 → 3 → 4 (runs)
    const send = { chat_session_id: id, prompt: "x" };
    const table: [call: object, input: object, said: string][] = [
      [completion, { ...send, parent_message_id: 4 }, "25 PARENT_MESSAGE_LOCKED"],
      [completion, { ...send, parent_message_id: 2 }, "11 LAST_MESSAGE_IS_WIP"],
      [completion, send, "11 LAST_MESSAGE_IS_WIP"],
      [regenerate, { chat_session_id: id, child_message_id: 4 }, "24 CURRENT_MESSAGE_LOCKED"],
      [regenerate, { chat_session_id: id, child_message_id: 2 }, "11 LAST_MESSAGE_IS_WIP"],
      [editMessage, { ...send, message_id: 3 }, "24 CURRENT_MESSAGE_LOCKED"],
      [editMessage, { ...send, message_id: 1 }, "11 LAST_MESSAGE_IS_WIP"],
      [continueMessage, { chat_session_id: id, message_id: 4 }, "24 CURRENT_MESSAGE_LOCKED"],
    ];
    for (const [call, input, said] of table) {
      expect((await refused(app, person, call as Call, input)).said, JSON.stringify(input)).toBe(said);
    }
    const again = app.model.next();
    run.end();
    await stream.ended;

    const sibling = await person.stream(regenerate, { chat_session_id: id, child_message_id: 4 });
    (await again).say("Other");
    await sibling.waitForType("delta");
    const locked = await refused(app, person, regenerate, { chat_session_id: id, child_message_id: 4 });
    expect(locked.said).toBe("25 PARENT_MESSAGE_LOCKED");
    await person.ok(stopStream, { chat_session_id: id });
    await sibling.ended;
  });

  it("are refused where a session is full [STRM-025]", async () => {
    const app = await open({ settings: { MAX_MESSAGES_PER_SESSION: "3" } });
    const person = await app.signedIn();
    const id = await talk(person);
    const send = { chat_session_id: id, prompt: "x" };
    for (const [call, input] of [
      [completion, { ...send, parent_message_id: 2 }],
      [editMessage, { ...send, message_id: 1 }],
    ] as const) {
      expect((await refused(app, person, call as Call, input)).said).toBe("3 MAX_MESSAGE_COUNT_REACHED");
    }
    await (
      await person.stream(regenerate, { chat_session_id: id, child_message_id: 2 })
    ).ended;
    const full = await refused(app, person, regenerate, { chat_session_id: id, child_message_id: 2 });
    expect(full.said).toBe("3 MAX_MESSAGE_COUNT_REACHED");
  });

  it("are refused for what a reply or request may not become [STRM-026] [ENG-060] [ENG-068]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    const first = await running(app, person, { chat_session_id: id, prompt: "Something bad" });
    first.run.end("filter");
    const events = await first.stream.ended;
    expect(fold(events).message).toMatchObject({
      status: "CONTENT_FILTER",
      ban_regenerate: true,
      fragments: [{ type: "TEMPLATE_RESPONSE" }],
    });
    const template = await refused(app, person, regenerate, { chat_session_id: id, child_message_id: 2 });
    expect(template.said).toBe("4 REGENERATE_ON_TEMPLATE_RESPONSE");
    await app.db.kysely
      .updateTable("messages")
      .set({ ban_edit: 1 })
      .where("session_id", "=", id)
      .where("message_id", "=", 1)
      .execute();
    const edit = await refused(app, person, editMessage, { chat_session_id: id, message_id: 1, prompt: "x" });
    expect(edit.said).toBe("12 EDIT_NOT_ALLOWED");
    const banned = await talk(person);
    await app.db.kysely
      .updateTable("messages")
      .set({ ban_regenerate: 1 })
      .where("session_id", "=", banned)
      .where("message_id", "=", 2)
      .execute();
    const again = await refused(app, person, regenerate, { chat_session_id: banned, child_message_id: 2 });
    expect(again.said).toBe("4 REGENERATE_NOT_ALLOWED");
  });

  it("are refused to an account that may not speak, which may still read and stop [STRM-027]", async () => {
    const app = await open();
    const states = [
      [{ muted_until: Date.now() + 3_600_000 }, "5 USER_IS_MUTED"],
      [{ under_review: 1 }, "40014"],
    ] as const;
    for (const [change, said] of states) {
      const person = await app.signedIn();
      const id = await talk(person);
      await app.db.kysely
        .updateTable("users")
        .set(change)
        .where("id", "=", person.user?.id ?? "")
        .execute();
      // The status of an account is at most a second old. A message that is not there begins nothing until then.
      const nothing = { chat_session_id: id, child_message_id: 99 };
      await expect.poll(async () => (await refused(app, person, regenerate, nothing)).said).toBe(said);
      for (const [call, input] of [
        [completion, { prompt: "x" }],
        [regenerate, { child_message_id: 2 }],
        [editMessage, { message_id: 1, prompt: "x" }],
        [continueMessage, { message_id: 2 }],
      ] as const) {
        const answer = await refused(app, person, call as Call, { chat_session_id: id, ...input });
        expect(answer.said, call.path).toBe(said);
        if (said.startsWith("5")) {
          expect(answer.data).toEqual({ mute_until: expect.any(Number), is_muted: 1 });
        }
      }
      expect((await history(person, id)).chat_messages).toHaveLength(2);
      await person.ok(stopStream, { chat_session_id: id });
      const resumed = await person.call(resumeStream, { chat_session_id: id, message_id: 2 });
      expect(resumed.envelope.data?.biz_code).toBe(22);
    }
  });

  it("let a running reply be read on by continue, however many run", async () => {
    const app = await open({ settings: { CONCURRENT_REPLIES: "1" } });
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    const { stream, run } = await running(app, person, { chat_session_id: id, prompt: "Count" });
    const input = { chat_session_id: id, message_id: 2 };
    const follower = await person.stream(continueMessage, { ...input, fallback_to_resume: true });
    await follower.waitForType("delta");
    expect(await person.call(continueMessage, input)).toMatchObject({ envelope: { code: 42902 } });
    run.end();
    await stream.ended;
    await follower.ended;
  });

  it("are refused over the limits of a person [STRM-044]", async () => {
    const app = await open({
      settings: { RATE_LIMITS: "", MESSAGES_PER_MINUTE: "4", CONCURRENT_REPLIES: "1" },
    });
    const person = await app.signedIn();
    const id = await talk(person);
    const { stream, run } = await running(app, person, {
      chat_session_id: id,
      prompt: "Next",
      parent_message_id: 2,
    });
    const elsewhere = await person.ok(createSession, {});
    const third = await person.call(completion, { chat_session_id: elsewhere.id, prompt: "x" });
    expect(third).toMatchObject({ status: 429, envelope: { code: 42902, data: null } });
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
    // Before the proof is looked at: nobody solves a puzzle for nothing.
    const unproved = await person.request(completion.path, {
      method: "POST",
      body: JSON.stringify({ chat_session_id: elsewhere.id, prompt: "x" }),
    });
    expect(await unproved.json()).toMatchObject({ code: 42902 });
    run.end();
    await stream.ended;
    const before = await stored(app);
    const fourth = await person.call(completion, { chat_session_id: elsewhere.id, prompt: "x" });
    expect(fourth).toMatchObject({ status: 429, envelope: { code: 42900, data: null } });
    expect(Number(fourth.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await stored(app)).toBe(before);
  });

  it("are refused with 503 while the process drains, and history is still read [STRM-045]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const id = await talk(person);
    await app.app.drain(0);
    const before = await stored(app);
    for (const [call, input] of [
      [completion, { prompt: "x" }],
      [regenerate, { child_message_id: 2 }],
      [editMessage, { message_id: 1, prompt: "x" }],
      [continueMessage, { message_id: 2 }],
    ] as const) {
      const answer = await person.call(call as Call, { chat_session_id: id, ...input });
      expect(answer, call.path).toMatchObject({ status: 503, envelope: { code: 50300, data: null } });
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(await stored(app)).toBe(before);
    expect((await history(person, id)).chat_messages).toHaveLength(2);
  });

  it("redo a reply as a sibling of it, with the conversation above and nothing of the old one [ENG-057] [ENG-058]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const id = await talk(person, "Tell me a joke");
    const next = app.model.next();
    const stream = await person.stream(regenerate, {
      chat_session_id: id,
      child_message_id: 2,
      thinking_enabled: true,
      client_stream_id: "20260101-regenerate000000",
    });
    const run = await next;
    expect(run.request.thinking).toBe(true);
    expect(run.request.messages.filter((message) => message.role !== "system")).toEqual([
      expect.objectContaining({ role: "user", content: "Tell me a joke" }),
    ]);
    run.say("Another one");
    run.end();
    const events = await stream.ended;
    expect(events[0]).toMatchObject({
      type: "ready",
      id: 1,
      data: { request_message_id: 1, response_message_id: 3 },
    });
    const { chat_messages, chat_session } = await history(person, id);
    expect(chat_messages.map((message) => [message.message_id, message.parent_id])).toEqual([
      [1, null],
      [2, 1],
      [3, 1],
    ]);
    expect(chat_messages[2]).toEqual(fold(events).message);
    expect(chat_messages[2]).toMatchObject({
      thinking_enabled: true,
      client_stream_id: "20260101-regenerate000000",
      fragments: [{ type: "RESPONSE", content: "Another one" }],
    });
    expect(chat_session.current_message_id).toBe(3);
  });

  it("edit a request into a branch beside it, at the root and below [ENG-061] [ENG-062]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const id = await talk(person, "First");
    await (
      await person.stream(completion, { chat_session_id: id, parent_message_id: 2, prompt: "Second" })
    ).ended;
    const below = await (
      await person.stream(editMessage, {
        chat_session_id: id,
        message_id: 3,
        prompt: "Second, better",
        ref_file_ids: ["file-ignored"],
      } as never)
    ).ended;
    expect(below[0]).toMatchObject({ data: { request_message_id: 5, response_message_id: 6 } });
    expect(app.model.replies.at(-1)?.messages.filter((message) => message.role !== "system")).toEqual([
      expect.objectContaining({ role: "user", content: "First" }),
      expect.objectContaining({ role: "assistant", content: "You said: First" }),
      expect.objectContaining({ role: "user", content: "Second, better" }),
    ]);
    const root = await (
      await person.stream(editMessage, { chat_session_id: id, message_id: 1, prompt: "First, better" })
    ).ended;
    expect(fold(root).message).toMatchObject({ message_id: 8, parent_id: 7 });
    const { chat_messages, chat_session } = await history(person, id);
    expect(chat_messages.map((message) => [message.message_id, message.parent_id])).toEqual([
      [1, null],
      [2, 1],
      [3, 2],
      [4, 3],
      [5, 2],
      [6, 5],
      [7, null],
      [8, 7],
    ]);
    expect(chat_session.current_message_id).toBe(8);
  });

  it("continue a stopped reply, or fall back to following or reading it [ENG-069] [ENG-070]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    const input = { chat_session_id: id, message_id: 2, fallback_to_resume: true };
    const { stream, run } = await running(app, person, { chat_session_id: id, prompt: "Count" }, "");
    run.think("Hm");
    await stream.waitForType("delta");
    const lastId = stream.events.at(-1)?.id ?? 0;
    const follower = await person.stream(continueMessage, input);
    const behind = await person.stream(continueMessage, input, { "Last-Event-ID": String(lastId) });
    await follower.waitForType("delta");
    await person.ok(stopStream, { chat_session_id: id, message_id: 2 });
    const stopped = await stream.ended;
    expect(fold(await follower.ended).message).toEqual(fold(stopped).message);
    expect(
      (await behind.ended).filter((event) => event.id !== null).every((event) => (event.id ?? 0) > lastId),
    ).toBe(true);
    const known = fold(stopped).message;
    expect(known).toMatchObject({
      status: "INCOMPLETE",
      fragments: [{ id: 2, type: "THINK", content: "Hm" }],
    });

    const next = app.model.next();
    const more = await person.stream(continueMessage, { chat_session_id: id, message_id: 2 });
    const again = await next;
    again.say("One");
    again.end();
    const events = await more.ended;
    expect(kinds(events)).toMatch(/^ready update_session D( D)+ finish update_session title close$/);
    expect(events.map((event) => event.id)).toEqual(
      events.map((_event, index) => (stopped.at(-1)?.id ?? 0) + 1 + index),
    );
    expect(fold(events).message).toMatchObject({
      status: "FINISHED",
      fragments: [
        { id: 2, type: "THINK", content: "Hm" },
        { id: 3, type: "RESPONSE", content: "One" },
      ],
    });
    expect((await history(person, id)).chat_messages[1]).toEqual(fold(events).message);
    const finished = await person.call(continueMessage, input);
    expect(finished.envelope.data).toMatchObject({
      biz_code: 22,
      biz_msg: "RESUME_GOT_FULL_MESSAGE",
      biz_data: { message: { status: "FINISHED" }, chat_session: { id } },
    });
  });

  it("continue a reply that had not said a word, and only its last run's events are resumed", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    const { stream } = await running(app, person, { chat_session_id: id, prompt: "Count" }, "");
    await person.ok(stopStream, { chat_session_id: id });
    const stopped = await stream.ended;
    expect(kinds(stopped)).toBe("ready update_session D D D update_session title close");
    expect(fold(stopped).message).toMatchObject({
      status: "INCOMPLETE",
      has_pending_fragment: false,
      fragments: [],
    });
    const next = app.model.next();
    const more = await person.stream(continueMessage, { chat_session_id: id, message_id: 2 });
    const run = await next;
    await more.waitForType("delta");
    expect(fold(more.events).message).toMatchObject({
      status: "WIP",
      has_pending_fragment: true,
      fragments: [],
    });
    const early = await person.stream(
      resumeStream,
      { chat_session_id: id, message_id: 2 },
      { "Last-Event-ID": "1" },
    );
    run.say("One");
    run.end();
    const events = await more.ended;
    expect(fold(events).message).toMatchObject({
      status: "FINISHED",
      has_pending_fragment: false,
      fragments: [{ id: 2, content: "One" }],
    });
    expect(fold(await early.ended).message).toEqual(fold(events).message);
  });

  it("refuse a prompt that cannot fit on the stream, and keep nothing of it [ERR-023]", async () => {
    const app = await open({ settings: { MODEL_CONTEXT_TOKENS: "300" } });
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    const prompt = "many different words ".repeat(400);
    const input = { chat_session_id: id, prompt, client_stream_id: "20260101-toolong000000000" };
    const events = await (await person.stream(completion, input)).ended;
    expect(kinds(events)).toBe("ready update_session hint close");
    expect(events[2]).toMatchObject({
      data: {
        type: "error",
        content: "The message you sent is too long. Please modify it and resend.",
        clear_response: true,
        click_behavior: "none",
        finish_reason: "input_exceeds_limit",
      },
    });
    expect(events[3]).toMatchObject({ data: { click_behavior: "none", auto_resume: false } });
    expect(app.model.requests).toEqual([]);
    const after = await history(person, id);
    expect(after).toMatchObject({
      chat_messages: [],
      chat_session: { is_empty: true, title: null, current_message_id: null },
    });
    const next = await (await person.stream(completion, { ...input, prompt: "Short" })).ended;
    expect(next[0]).toMatchObject({ data: { request_message_id: 3, response_message_id: 4 } });
    expect(fold(next).message?.status).toBe("FINISHED");
  });

  it("refuse a prompt of more bytes than any may have on the stream", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    // White space has few tokens: the budget has room for it.
    const fits = `x${" ".repeat(LIMITS.promptBytes - 1)}`;
    const over = await person.stream(completion, { chat_session_id: id, prompt: `${fits} ` });
    expect(kinds(await over.ended)).toBe("ready update_session hint close");
    expect((await history(person, id)).chat_messages).toEqual([]);
    const input = { chat_session_id: id, prompt: "Hi", client_stream_id: "20260101-0123456789abcdef" };
    await (
      await person.stream(completion, input)
    ).ended;
    const reused = await refused(app, person, completion, { ...input, prompt: `${fits} ` });
    expect(reused.said).toBe("18 CLIENT_STREAM_ID_REUSED");
    const edited = await person.stream(editMessage, {
      chat_session_id: id,
      message_id: 3,
      prompt: `${fits} `,
    });
    expect(kinds(await edited.ended)).toBe("ready update_session hint close");
    const longest = await person.stream(editMessage, { chat_session_id: id, message_id: 3, prompt: fits });
    expect(fold(await longest.ended).message?.status).toBe("FINISHED");
  });

  it("ask the model while they are stored, and give the call up where they cannot be", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    const before = await stored(app);
    const transaction = app.db.transaction.bind(app.db);
    const next = app.model.next();
    // A commit that fails once the model has been asked.
    vi.spyOn(app.db, "transaction").mockImplementationOnce((work) =>
      transaction(async (trx) => {
        await work(trx);
        (await next).say("Too early");
        throw new Error("the disk failed");
      }),
    );
    const answer = await person.call(completion, { chat_session_id: id, prompt: "Hello" });
    expect(answer.status).toBe(500);
    expect((await next).aborted).toBe(true);
    expect(await stored(app)).toBe(before);
    const events = await (await person.stream(completion, { chat_session_id: id, prompt: "Hello" })).ended;
    expect(fold(events).message).toMatchObject({ fragments: [{ content: "You said: Hello" }] });
    expect(app.model.replies).toHaveLength(2);
  });

  it("are committed when the request to the model has left", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    const generate = app.model.generate.bind(app.model);
    let sent = false;
    // A client that looks at a kept connection before it writes, as undici does.
    vi.spyOn(app.model, "generate").mockImplementationOnce(async function* (...call) {
      await new Promise((resolve) => setImmediate(resolve));
      sent = true;
      yield* generate(...call);
    });
    const transaction = app.db.transaction.bind(app.db);
    let sentBefore = false;
    vi.spyOn(app.db, "transaction").mockImplementationOnce((work) =>
      transaction(async (trx) => {
        const result = await work(trx);
        sentBefore = sent;
        return result;
      }),
    );
    await (
      await person.stream(completion, { chat_session_id: id, prompt: "Hello" })
    ).ended;
    expect(sentBefore).toBe(true);
  });

  it.each([
    ["takes the place of one that found much and said nothing", [], [3, 4]],
    ["stays beside one that has said something", [{ id: 3, type: "RESPONSE", content: "It" }], [1, 2, 3, 4]],
  ])("that are sent again: the new turn %s", async (_, words, left) => {
    const app = await open();
    const person = await app.signedIn();
    const id = await talk(person);
    const snippet = `"type":"RESPONSE" ${"x".repeat(100_000)}`;
    const search = {
      id: 2,
      type: "SEARCH",
      status: "FINISHED",
      content: null,
      queries: [],
      results: [{ snippet }],
    };
    await app.db.kysely
      .updateTable("messages")
      .set({ status: "INCOMPLETE", fragments: JSON.stringify([search, ...words]) })
      .where("session_id", "=", id)
      .where("message_id", "=", 2)
      .execute();
    await (
      await person.stream(completion, { chat_session_id: id, prompt: "Hello" })
    ).ended;
    const { chat_messages } = await person.ok(historyMessages, { chat_session_id: id });
    expect(chat_messages.map((message) => message.message_id)).toEqual(left);
  });

  it("are refused where a session holds as much as it may", async () => {
    const app = await open();
    const person = await app.signedIn();
    const id = await talk(person);
    const hold = (bytes: number) =>
      app.db.kysely
        .updateTable("messages")
        .set({ fragments: JSON.stringify([{ id: 2, type: "RESPONSE", content: "x".repeat(bytes) }]) })
        .where("session_id", "=", id)
        .where("message_id", "=", 2)
        .execute();
    await hold(LIMITS.sessionBytes);
    const send = { chat_session_id: id, prompt: "x" };
    const calls: [Call, object][] = [
      [completion as unknown as Call, { ...send, parent_message_id: 2 }],
      [editMessage as unknown as Call, { ...send, message_id: 1 }],
      [regenerate as unknown as Call, { chat_session_id: id, child_message_id: 2 }],
    ];
    for (const [call, input] of calls) {
      const { envelope } = await person.call(call, input as never);
      expect(envelope.data).toMatchObject({ biz_code: 3, biz_msg: "MAX_MESSAGE_COUNT_REACHED" });
    }
    await hold(LIMITS.sessionBytes - 1000);
    const fits = await person.stream(regenerate, { chat_session_id: id, child_message_id: 2 });
    expect(fold(await fits.ended).message?.status).toBe("FINISHED");
  });

  it("are refused where the agent is gone; a reply goes on with the instructions it began with", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    const { stream, run } = await running(app, person, { chat_session_id: id, prompt: "Hello" });
    const [system] = run.request.messages;
    expect(system).toMatchObject({ role: "system", content: expect.stringContaining("assistant") });
    await person.ok(stopStream, { chat_session_id: id });
    await stream.ended;
    await app.db.kysely.updateTable("replies").set({ instructions: "Be brief." }).execute();
    const next = app.model.next();
    const more = await person.stream(continueMessage, { chat_session_id: id, message_id: 2 });
    const second = await next;
    expect(second.request.messages[0]).toEqual({ role: "system", content: "Be brief." });
    second.end();
    await more.ended;
    const calls: [call: object, input: object][] = [
      [completion, { chat_session_id: id, prompt: "x" }],
      [regenerate, { chat_session_id: id, child_message_id: 2 }],
      [editMessage, { chat_session_id: id, message_id: 1, prompt: "x" }],
    ];
    const gone = async (change: { agent: string; character_id: string | null }, said: string) => {
      await app.db.kysely.updateTable("sessions").set(change).where("id", "=", id).execute();
      for (const [call, input] of calls) {
        expect((await refused(app, person, call as Call, input)).said).toBe(said);
      }
    };
    await gone({ agent: "gone", character_id: null }, "20 CHARACTER_NOT_AVAILABLE");
    await gone({ agent: "character", character_id: crypto.randomUUID() }, "20 CHARACTER_DELETED");
  });

  it("end as too long where branch and prompt together do not fit, and stay so [ENG-055]", async () => {
    const app = await open({ settings: { MODEL_CONTEXT_TOKENS: "300" } });
    const person = await app.signedIn();
    const id = await talk(person, "many different words ".repeat(40));
    const stream = await person.stream(completion, {
      chat_session_id: id,
      parent_message_id: 2,
      prompt: "some more different words ".repeat(40),
    });
    const events = await stream.ended;
    expect(kinds(events)).toBe("ready update_session D D D hint update_session close");
    expect(events.find((event) => event.type === "hint")).toMatchObject({
      data: { finish_reason: "context_length_exceeded", clear_response: false, click_behavior: "none" },
    });
    expect(app.model.replies).toHaveLength(1);
    const { chat_messages } = await history(person, id);
    expect(chat_messages).toHaveLength(4);
    expect(chat_messages[3]).toMatchObject({ status: "CONTEXT_LENGTH_EXCEEDED", fragments: [] });
    const redo = await refused(app, person, regenerate, { chat_session_id: id, child_message_id: 4 });
    expect(redo.said).toBe("4 REGENERATE_NOT_ALLOWED");
    const under = await (
      await person.stream(completion, { chat_session_id: id, parent_message_id: 4, prompt: "x" })
    ).ended;
    expect(fold(under).message?.status).toBe("CONTEXT_LENGTH_EXCEEDED");
  });

  it("count deep thinking when accepted and give it back where no word came [STRM-035]", async () => {
    const app = await open({ settings: { THINKING_QUOTA_PER_DAY: "2" } });
    const person = await app.signedIn();
    const used = async () => (await person.ok(featureQuota, {})).thinking.used;
    const { id } = await person.ok(createSession, {});
    const ask = { chat_session_id: id, prompt: "Think", thinking_enabled: true };
    const silent = await running(app, person, ask, "");
    expect(await used()).toBe(1);
    silent.run.fail("unavailable");
    const failed = await silent.stream.ended;
    expect(await used()).toBe(0);
    expect(failed.filter((event) => event.type === "update_session")[1]).toMatchObject({
      data: { thinking_quota: { quota: 2, used: 0, reset_at: expect.any(Number) } },
    });
    const spoken = await running(app, person, ask);
    await person.ok(stopStream, { chat_session_id: id });
    await spoken.stream.ended;
    expect(await used()).toBe(1);
    const { id: other } = await person.ok(createSession, {});
    await (
      await person.stream(completion, { ...ask, chat_session_id: other })
    ).ended;
    expect(await used()).toBe(2);
    const answer = await refused(app, person, completion, {
      ...ask,
      chat_session_id: other,
      parent_message_id: 2,
    });
    expect(answer.said).toBe("15 THINKING_QUOTA_EXCEEDED");
    expect(answer.data).toEqual({ quota: 2, used: 2, reset_at: expect.any(Number) });
    const plain = { chat_session_id: other, parent_message_id: 2, prompt: "No thinking" };
    await (
      await person.stream(completion, plain)
    ).ended;
    expect(await used()).toBe(2);
  });

  it("count deep thinking that was given back when its reply is continued, and once only", async () => {
    const app = await open({ settings: { THINKING_QUOTA_PER_DAY: "1" } });
    const person = await app.signedIn();
    const used = async () => (await person.ok(featureQuota, {})).thinking.used;
    const { id } = await person.ok(createSession, {});
    const more = { chat_session_id: id, message_id: 2 };
    const silent = await running(
      app,
      person,
      { chat_session_id: id, prompt: "Think", thinking_enabled: true },
      "",
    );
    await person.ok(stopStream, { chat_session_id: id });
    await silent.stream.ended;
    expect(await used()).toBe(0);
    const next = app.model.next();
    const again = await person.stream(continueMessage, more);
    const run = await next;
    expect(await used()).toBe(1);
    run.say("A word");
    await again.waitFor(() => fold(again.events).message?.fragments.length === 1);
    await person.ok(stopStream, { chat_session_id: id });
    await again.ended;
    expect(await used()).toBe(1);
    const third = app.model.next();
    const last = await person.stream(continueMessage, more);
    (await third).end();
    await last.ended;
    expect(await used()).toBe(1);
  });

  it("refuse to continue what was given back once the day's thinking is used up", async () => {
    const app = await open({ settings: { THINKING_QUOTA_PER_DAY: "1" } });
    const person = await app.signedIn();
    const think = { prompt: "Think", thinking_enabled: true };
    const { id } = await person.ok(createSession, {});
    const silent = await running(app, person, { ...think, chat_session_id: id }, "");
    await person.ok(stopStream, { chat_session_id: id });
    await silent.stream.ended;
    const { id: other } = await person.ok(createSession, {});
    await (
      await person.stream(completion, { ...think, chat_session_id: other })
    ).ended;
    const answer = await refused(app, person, continueMessage, { chat_session_id: id, message_id: 2 });
    expect(answer.said).toBe("15 THINKING_QUOTA_EXCEEDED");
    expect(answer.data).toEqual({ quota: 1, used: 1, reset_at: expect.any(Number) });
  });

  it("leave one branch after a resend or a redo of what failed early", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    const ids = async () => (await history(person, id)).chat_messages.map((message) => message.message_id);
    const one = await running(app, person, { chat_session_id: id, prompt: "Hello" }, "");
    one.run.fail("busy");
    await one.stream.ended;
    expect(await ids()).toEqual([1, 2]);
    const two = await running(app, person, { chat_session_id: id, prompt: "Hello" }, "");
    expect(await ids()).toEqual([3, 4]);
    two.run.fail("unavailable");
    await two.stream.ended;
    const redone = app.model.next();
    const three = await person.stream(regenerate, { chat_session_id: id, child_message_id: 4 });
    expect(await ids()).toEqual([3, 5]);
    const run = await redone;
    run.say("Some");
    await three.waitForType("delta");
    run.fail("unavailable");
    await three.ended;
    // This one has words: it stays beside the next.
    await (
      await person.stream(regenerate, { chat_session_id: id, child_message_id: 5 })
    ).ended;
    expect(await ids()).toEqual([3, 5, 6]);
    await (
      await person.stream(editMessage, { chat_session_id: id, message_id: 3, prompt: "Hi" })
    ).ended;
    expect(await ids()).toEqual([3, 5, 6, 7, 8]);
  });

  it("get a title from the model once finished, and the first words until then [STRM-007] [SESS-003]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    const titleOf = async () => {
      const { title, title_type } = (await history(person, id)).chat_session;
      return [title, title_type];
    };
    const prompt = "Explain to me, please, how a suspension bridge holds";
    const { stream } = await running(app, person, { chat_session_id: id, prompt });
    await person.ok(stopStream, { chat_session_id: id });
    const stopped = await stream.ended;
    const [words] = await titleOf();
    expect(words).toMatch(/.…$/u);
    expect(prompt.startsWith(words?.slice(0, -1) ?? "-")).toBe(true);
    expect((await titleOf())[1]).toBe("WIP");
    expect(stopped.find((event) => event.type === "title")).toMatchObject({ data: { content: words } });

    app.model.title = ' "A title\0 of the model, in more words than\n it may have"\nand a second line';
    const more = await (await person.stream(continueMessage, { chat_session_id: id, message_id: 2 })).ended;
    const made = await titleOf();
    expect(made[1]).toBe("SYSTEM");
    expect([...(made[0] ?? "")].length).toBeLessThanOrEqual(32);
    expect(made[0]).toMatch(/^A title of the model/);
    expect(more.find((event) => event.type === "title")).toMatchObject({ data: { content: made[0] } });

    app.model.title = "Never used";
    const later = await (
      await person.stream(completion, { chat_session_id: id, parent_message_id: 2, prompt: "And?" })
    ).ended;
    expect(later.some((event) => event.type === "title")).toBe(false);
    expect(await titleOf()).toEqual(made);
  });

  it("get the first words as title where the model makes none, and never lose the user's own [SESS-032]", async () => {
    const app = await open();
    const person = await app.signedIn();
    app.model.title = null;
    const id = await talk(person, "What is up?");
    expect((await history(person, id)).chat_session).toMatchObject({
      title: "What is up?",
      title_type: "SYSTEM",
    });

    app.model.title = "By the model";
    const { id: mine } = await person.ok(createSession, {});
    await person.ok(updateSessionTitle, { chat_session_id: mine, title: "Mine" });
    const { stream, run } = await running(app, person, { chat_session_id: mine, prompt: "Hello" });
    run.end();
    expect((await stream.ended).some((event) => event.type === "title")).toBe(false);
    expect((await history(person, mine)).chat_session).toMatchObject({ title: "Mine", title_type: "USER" });

    // Renamed while the reply runs, when the title has been asked for already.
    const { id: meanwhile } = await person.ok(createSession, {});
    const late = await running(app, person, { chat_session_id: meanwhile, prompt: "Hello" });
    await person.ok(updateSessionTitle, { chat_session_id: meanwhile, title: "Mine too" });
    late.run.end();
    await late.stream.ended;
    expect((await history(person, meanwhile)).chat_session).toMatchObject({
      title: "Mine too",
      title_type: "USER",
    });
  });

  it("start one reply of twenty sent at once into one session [STRM-033]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    const next = app.model.next();
    const proofs = await Promise.all(Array.from({ length: 20 }, () => person.proofFor(completion)));
    const answers = await Promise.all(
      proofs.map((proof, index) =>
        person.request(completion.path, {
          method: "POST",
          headers: proof,
          body: JSON.stringify({ chat_session_id: id, prompt: `Number ${index}` }),
        }),
      ),
    );
    const run = await next;
    const streams = answers.filter((answer) =>
      answer.headers.get("content-type")?.startsWith("text/event-stream"),
    );
    const codes = await Promise.all(
      answers
        .filter((answer) => !streams.includes(answer))
        .map(async (answer) => ((await answer.json()) as { data: { biz_code: number } }).data.biz_code),
    );
    expect(streams).toHaveLength(1);
    expect(codes).toEqual(Array.from({ length: 19 }, () => 11));
    expect((await history(person, id)).chat_messages).toHaveLength(2);
    expect(app.model.replies).toHaveLength(1);
    run.say("Only one");
    run.end();
    expect(await streams[0]?.text()).toContain("event: close");
  });

  it("run no more replies at once than a person may have, however many sessions ask", async () => {
    const app = await open({ settings: { CONCURRENT_REPLIES: "2" } });
    const person = await app.signedIn();
    const runs = Array.from({ length: 10 }, () => app.model.next());
    const sessions = await Promise.all(Array.from({ length: 10 }, () => person.ok(createSession, {})));
    const proofs = await Promise.all(sessions.map(() => person.proofFor(completion)));
    const answers = await Promise.all(
      sessions.map(({ id }, index) =>
        person.request(completion.path, {
          method: "POST",
          headers: proofs[index] ?? {},
          body: JSON.stringify({ chat_session_id: id, prompt: "Now", thinking_enabled: true }),
        }),
      ),
    );
    const streams = answers.filter((answer) => answer.status === 200);
    const refusals = answers.filter((answer) => answer.status === 429);
    expect([streams.length, refusals.length]).toEqual([2, 8]);
    for (const refusal of refusals) expect(await refusal.json()).toMatchObject({ code: 42902, data: null });
    expect((await person.ok(featureQuota, {})).thinking.used).toBe(2);
    const rows = await app.db.kysely.selectFrom("messages").selectAll().execute();
    expect(rows).toHaveLength(4);
    for (const run of await Promise.all(runs.slice(0, 2))) run.end();
    await Promise.all(streams.map((stream) => stream.text()));
    expect(app.model.replies).toHaveLength(2);
  });
});
