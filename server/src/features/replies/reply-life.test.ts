// One reply from its request to its close, on both databases: what the stream says is what is stored.
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { resumeStream, stopStream, getClientStreams } from "@plumb/protocol/wire/replies";
import { createSession, fetchSessionPage, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion, continueMessage } from "@plumb/protocol/wire/turns";
import { describe, expect, it } from "vitest";
import { testApps } from "../../../test/test-apps.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";

const fold = (events: readonly ReceivedEvent[]) => events.reduce(reduceReply, emptyReply());
const kinds = (events: readonly ReceivedEvent[]) =>
  events.map((event) => (event.type === "delta" ? "D" : event.type)).join(" ");

describe.each(engines)("a reply on %s", (engine) => {
  const open = testApps({ engine });

  async function ask(person: TestClient, prompt: string, extra: object = {}) {
    const session = await person.ok(createSession, {});
    const stream = await person.stream(completion, { chat_session_id: session.id, prompt, ...extra });
    return { session, stream };
  }
  const history = (person: TestClient, id: string) => person.ok(historyMessages, { chat_session_id: id });

  it("streams in the order of the contract and is stored as it was folded [STRM-001] [STRM-013] [ENG-044]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const next = app.model.next();
    const { session, stream } = await ask(person, "What is two plus two?");
    const run = await next;
    run.think("Two");
    await stream.waitForType("delta");
    run.think(" and two");
    run.say("Fo");
    run.say("ur.");
    run.end();
    const events = await stream.ended;
    expect(kinds(events)).toMatch(/^ready update_session D( D)+ finish update_session title close$/);
    expect(events.map((event) => event.id)).toEqual(events.map((_event, index) => index + 1));
    const reply = fold(events);
    expect(reply.message?.fragments).toMatchObject([
      { type: "THINK", content: "Two and two", elapsed_secs: expect.any(Number) },
      { type: "RESPONSE", content: "Four." },
    ]);
    expect(reply.title).toBe("A title");
    const stored = await history(person, session.id);
    expect(stored.chat_messages[1]).toEqual(reply.message);
    expect(stored.chat_session).toMatchObject({
      title: "A title",
      title_type: "SYSTEM",
      current_message_id: 2,
      version: 2,
    });
    const page = await person.ok(fetchSessionPage, {});
    expect(page.chat_sessions.map((one) => one.id)).toEqual([session.id]);
  });

  it("shows as a thought what was said before the model closed one, and stores it so", async () => {
    const app = await open();
    const person = await app.signedIn();
    const next = app.model.next();
    const { session, stream } = await ask(person, "What is two plus two?");
    const run = await next;
    run.say("Two and");
    await stream.waitForType("delta");
    run.say(" two.");
    run.push({ type: "text_was_thought" }, { type: "text", text: "Fo" });
    run.say("ur.");
    run.end();
    const reply = fold(await stream.ended);
    expect(reply.message?.fragments).toMatchObject([
      { type: "THINK", content: "Two and two.", elapsed_secs: expect.any(Number) },
      { type: "RESPONSE", content: "Four." },
    ]);
    const stored = await history(person, session.id);
    expect(stored.chat_messages[1]).toEqual(reply.message);
  });

  it("goes on without its reader, and a resume shows the text so far and the rest [ENG-084] [STRM-013]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const next = app.model.next();
    const { session, stream } = await ask(person, "Tell me");
    const run = await next;
    run.say("Once ");
    await stream.waitForType("delta");
    const lastId = stream.events.at(-1)?.id ?? 0;
    await stream.close();
    run.say("upon ");
    await expect
      .poll(async () => JSON.stringify(await person.ok(historyMessages, { chat_session_id: session.id })))
      .toContain("Once upon ");
    const whole = await person.stream(resumeStream, { chat_session_id: session.id, message_id: 2 });
    const rest = await person.stream(
      resumeStream,
      { chat_session_id: session.id, message_id: 2 },
      { "Last-Event-ID": String(lastId) },
    );
    run.say("a time.");
    run.end();
    const events = await whole.ended;
    expect(events[0]).toMatchObject({ type: "ready", id: null });
    expect(fold(events).message).toMatchObject({
      status: "FINISHED",
      fragments: [{ content: "Once upon a time." }],
    });
    const tail = await rest.ended;
    const both = [...stream.events, ...tail].reduce(reduceReply, emptyReply());
    expect(both.message).toEqual(fold(events).message);
    expect(tail.filter((event) => event.id !== null).every((event) => (event.id ?? 0) > lastId)).toBe(true);
    const full = await person.call(resumeStream, { chat_session_id: session.id, message_id: 2 });
    expect(full.envelope.data).toMatchObject({ biz_code: 22, biz_data: { message: { status: "FINISHED" } } });
  });

  it("is stopped with its text kept, and continued on the same message [ENG-054] [ENG-070] [ENG-079]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const next = app.model.next();
    const { session, stream } = await ask(person, "Count");
    const run = await next;
    run.say("one two ");
    await stream.waitForType("delta");
    await person.ok(stopStream, { chat_session_id: session.id });
    const events = await stream.ended;
    expect(events.at(-1)).toMatchObject({ type: "close", data: { click_behavior: "none" } });
    expect(events.some((event) => event.type === "finish")).toBe(false);
    // Whoever reads along, and whoever loads it later on any device, is told that it was stopped.
    expect(fold(events).message).toMatchObject({ status: "INCOMPLETE", stopped: true });
    expect((await history(person, session.id)).chat_messages[1]).toEqual(fold(events).message);
    expect(run.aborted).toBe(true);

    const again = app.model.next();
    const more = await person.stream(continueMessage, { chat_session_id: session.id, message_id: 2 });
    const second = await again;
    expect(second.request.prefix).toEqual({ reasoning: "", answer: "one two " });
    second.say("three");
    second.end();
    const rest = await more.ended;
    expect(JSON.stringify(rest)).not.toContain("stopped");
    expect(rest[0]?.id).toBe((events.at(-1)?.id ?? 0) + 1);
    expect(fold(rest).message).toMatchObject({
      message_id: 2,
      status: "FINISHED",
      fragments: [{ id: 2, content: "one two three" }],
    });
    expect((await history(person, session.id)).chat_messages[1]).toEqual(fold(rest).message);
  });

  it("is made once however often its call is repeated [ENG-082]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const session = await person.ok(createSession, {});
    const input = {
      chat_session_id: session.id,
      prompt: "Once only",
      client_stream_id: "20260101-abcdefghijklmnop",
    };
    const streams = await Promise.all(Array.from({ length: 5 }, () => person.stream(completion, input)));
    const ends = await Promise.all(streams.map((stream) => stream.ended));
    for (const events of ends) {
      expect(fold(events).message).toMatchObject({ message_id: 2, status: "FINISHED" });
      expect(events.at(-1)?.type).toBe("close");
    }
    expect(app.model.replies).toHaveLength(1);
    const late = await (await person.stream(completion, input)).ended;
    expect(fold(late).message).toEqual(fold(ends[0] ?? []).message);
    const other = await person.call(completion, { ...input, prompt: "Something else" });
    expect(other.envelope.data).toMatchObject({ biz_code: 18 });
    const known = await person.ok(getClientStreams, {
      chat_session_id: session.id,
      client_stream_ids: [input.client_stream_id, "x"],
    });
    expect(known.client_streams).toEqual([
      {
        client_stream_id: input.client_stream_id,
        request_message_id: 1,
        response_message_id: 2,
        status: "FINISHED",
      },
    ]);
  });

  it("tells a failure before the first token by its cause and keeps both messages", async () => {
    const app = await open();
    const person = await app.signedIn();
    const next = app.model.next();
    const { session, stream } = await ask(person, "Hello");
    (await next).fail("busy");
    const events = await stream.ended;
    expect(kinds(events)).toBe("ready update_session D D D hint update_session title close");
    expect(events.find((event) => event.type === "hint")).toMatchObject({
      data: { finish_reason: "server_busy", click_behavior: "retry" },
    });
    const stored = await history(person, session.id);
    expect(stored.chat_messages).toMatchObject([
      { status: "FINISHED" },
      { status: "INCOMPLETE", has_pending_fragment: false },
    ]);
    expect(stored.chat_session.title_type).toBe("WIP");
  });
});
