// What a reader thinks of a reply: stored, changed, taken back and forgotten, on both databases.
import type { Feedback } from "@plumb/protocol/conversation/message";
import { messageFeedback } from "@plumb/protocol/wire/feedback";
import { resumeStream, stopStream } from "@plumb/protocol/wire/replies";
import {
  createSession,
  deleteSession,
  fetchSessionPage,
  historyMessages,
} from "@plumb/protocol/wire/sessions";
import { completion, continueMessage } from "@plumb/protocol/wire/turns";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";

describe.each(engines)("feedback on %s", (engine) => {
  let app: TestApp;
  let person: TestClient;
  beforeAll(async () => {
    app = await createTestApp({ engine });
    person = await app.signedIn();
  });
  afterAll(() => app.close());

  /** A session with one finished exchange: messages 1 and 2. */
  async function talk(): Promise<string> {
    const { id } = await person.ok(createSession, {});
    const stream = await person.stream(completion, { chat_session_id: id, prompt: "Hello" });
    await stream.ended;
    return id;
  }
  const read = (session: string) => person.ok(historyMessages, { chat_session_id: session });
  async function feedbackOn(session: string, message = 2): Promise<Feedback | null | undefined> {
    const { chat_messages } = await read(session);
    return chat_messages.find((one) => one.message_id === message)?.feedback;
  }

  it("is like or dislike with a tag and a description, neither of them needed [FDBK-001] [FDBK-002] [FDBK-003] [FDBK-004]", async () => {
    const session = await talk();
    const at = { chat_session_id: session, message_id: 2 };
    expect(await feedbackOn(session)).toBeNull();
    const { envelope } = await person.call(messageFeedback, { ...at, feedback_type: "GOOD" });
    expect(envelope).toMatchObject({ code: 0, data: { biz_code: 0, biz_data: null } });
    expect(await feedbackOn(session)).toEqual({
      feedback_type: "GOOD",
      feedback_tag: null,
      description: null,
    });
    const bad = { feedback_type: "BAD", feedback_tag: "fake", description: "It is 5, 不是 4。" } as const;
    await person.ok(messageFeedback, { ...at, ...bad });
    expect(await feedbackOn(session)).toEqual(bad);
  });

  it("on a reply that runs is told by the history and by the snapshot of a resume while it runs, and after", async () => {
    const { id } = await person.ok(createSession, {});
    const next = app.model.next();
    const stream = await person.stream(completion, { chat_session_id: id, prompt: "Hello" });
    const run = await next;
    run.say("Well ");
    await stream.waitForType("delta");
    await person.ok(messageFeedback, { chat_session_id: id, message_id: 2, feedback_type: "GOOD" });
    const liked = { feedback_type: "GOOD", feedback_tag: null, description: null };
    expect(await feedbackOn(id)).toEqual(liked);
    const again = await person.stream(resumeStream, { chat_session_id: id, message_id: 2 });
    expect(await again.waitForType("delta")).toMatchObject({
      data: { v: { response: { feedback: liked } } },
    });
    // A reader that has nothing but the beginning is sent the log's own snapshot, from before the feedback.
    const [ready] = stream.events;
    const fromStart = await person.stream(
      resumeStream,
      { chat_session_id: id, message_id: 2 },
      { "last-event-id": String(ready?.id) },
    );
    expect(await fromStart.waitForType("delta")).toMatchObject({
      data: { v: { response: { feedback: liked } } },
    });
    run.end();
    await stream.ended;
    expect(await feedbackOn(id)).toEqual(liked);
  });

  it("is taken back by an empty type or by null, with all that belonged to it", async () => {
    const session = await talk();
    const at = { chat_session_id: session, message_id: 2 };
    for (const none of ["", null] as const) {
      await person.ok(messageFeedback, { ...at, feedback_type: "BAD", feedback_tag: "other" });
      await person.ok(messageFeedback, { ...at, feedback_type: none, feedback_tag: "other" });
      expect(await feedbackOn(session)).toBeNull();
    }
  });

  it("takes the four short tags, those of the dialog, and others as they are [FDBK-005]", async () => {
    const session = await talk();
    const tags = ["harmful", "fake", "nonsense", "other", "harmful_unsafe", "unhelpful", "说错了"];
    for (const feedback_tag of tags) {
      const input = { chat_session_id: session, message_id: 2, feedback_type: "BAD", feedback_tag } as const;
      await person.ok(messageFeedback, input);
      expect((await feedbackOn(session))?.feedback_tag).toBe(feedback_tag);
    }
  });

  it("keeps any text within its bounds, and refuses a longer one", async () => {
    const session = await talk();
    const at = { chat_session_id: session, message_id: 2, feedback_type: "BAD" } as const;
    const words = fc.string({ unit: "grapheme", maxLength: 40 }).filter((text) => !text.includes("\0"));
    await fc.assert(
      fc.asyncProperty(words, words, async (feedback_tag, description) => {
        await person.ok(messageFeedback, { ...at, feedback_tag, description });
        expect(await feedbackOn(session)).toEqual({ feedback_type: "BAD", feedback_tag, description });
      }),
      { numRuns: 20 },
    );
    const longest = { feedback_tag: "𝕏".repeat(64), description: "字".repeat(1000) };
    await person.ok(messageFeedback, { ...at, ...longest });
    for (const [field, value] of [
      ["feedback_tag", "x".repeat(65)],
      ["description", "x".repeat(1001)],
      ["description", "\ud800"],
      ["feedback_type", "GREAT"],
      ["feedback_type", undefined],
    ] as const) {
      const { envelope } = await person.call(messageFeedback, { ...at, [field]: value } as never);
      expect(envelope).toMatchObject({ code: 42200, detail: [{ loc: `body.${field}` }] });
    }
    expect(await feedbackOn(session)).toEqual({ feedback_type: "BAD", ...longest });
  });

  it("raises the version of its session and leaves the list as it is", async () => {
    const session = await talk();
    const newer = await talk();
    const before = (await read(session)).chat_session;
    await person.ok(messageFeedback, { chat_session_id: session, message_id: 2, feedback_type: "GOOD" });
    const after = (await read(session)).chat_session;
    expect(after).toEqual({ ...before, version: before.version + 1 });
    const kept = await person.ok(historyMessages, {
      chat_session_id: session,
      cache_version: before.version,
    });
    expect(kept.cache_valid).toBe(false);
    const { chat_sessions } = await person.ok(fetchSessionPage, { count: 2 });
    expect(chat_sessions.map(({ id }) => id)).toEqual([newer, session]);
  });

  it("is refused for a message that is not there, a prompt, and a session that is not there", async () => {
    const session = await talk();
    const deleted = await talk();
    await person.ok(deleteSession, { chat_session_id: deleted });
    const before = (await read(session)).chat_session.version;
    const table: [session: string, message: number, code: number, msg: string][] = [
      [session, 3, 2, "MESSAGE_NOT_FOUND"],
      [session, -1, 2, "MESSAGE_NOT_FOUND"],
      [session, Number.MAX_SAFE_INTEGER, 2, "MESSAGE_NOT_FOUND"],
      [session, 1, 3, "NOT_AN_ASSISTANT_MESSAGE"],
      [crypto.randomUUID(), 2, 1, "ILLEGAL_CHAT_SESSION_ID"],
      [deleted, 2, 1, "CHAT_SESSION_DELETED"],
    ];
    for (const [chat_session_id, message_id, biz_code, biz_msg] of table) {
      const input = { chat_session_id, message_id, feedback_type: "GOOD" } as const;
      const { envelope } = await person.call(messageFeedback, input);
      expect(envelope.data).toMatchObject({ biz_code, biz_msg, biz_data: null });
    }
    expect(await feedbackOn(session)).toBeNull();
    expect((await read(session)).chat_session.version).toBe(before);
  });

  it("outlives the end of its reply and its continuation", async () => {
    const asked = app.model.next();
    const { id } = await person.ok(createSession, {});
    const stream = await person.stream(completion, { chat_session_id: id, prompt: "Count" });
    const run = await asked;
    run.say("One");
    await stream.waitForType("delta");
    await person.ok(messageFeedback, { chat_session_id: id, message_id: 2, feedback_type: "GOOD" });
    await person.ok(stopStream, { chat_session_id: id, message_id: 2 });
    await stream.ended;
    expect((await feedbackOn(id))?.feedback_type).toBe("GOOD");
    const more = await person.stream(continueMessage, { chat_session_id: id, message_id: 2 });
    await more.ended;
    expect((await feedbackOn(id))?.feedback_type).toBe("GOOD");
  });

  it("is gone from the database with its session", async () => {
    const session = await talk();
    const description = `only here ${session}`;
    const input = { chat_session_id: session, message_id: 2, feedback_type: "BAD", description } as const;
    await person.ok(messageFeedback, input);
    const rows = () =>
      app.db.kysely.selectFrom("messages").select("feedback").where("session_id", "=", session).execute();
    expect(JSON.stringify(await rows())).toContain(description);
    await person.ok(deleteSession, { chat_session_id: session });
    expect(await rows()).toEqual([]);
  });
});
