// A reply outlives its process: fencing, take-over, hand-over, and what ends it when it cannot go on.
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { resumeStream, stopStream } from "@plumb/protocol/wire/replies";
import { createSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { describe, expect, it, vi } from "vitest";
import type { TestApp } from "../../../test/create-test-app.ts";
import { testApps } from "../../../test/test-apps.ts";
import { createScriptedModel } from "../../../test/scripted-model.ts";

const quick = { LEASE_TIMEOUT_MS: "600", LEASE_RENEW_MS: "100" };
/** An owner that neither renews nor claims while the test lasts: whoever is quick takes over from it. */
const sleepy = { LEASE_TIMEOUT_MS: "60000", LEASE_RENEW_MS: "30000" };
const fold = (events: readonly ReceivedEvent[]) => events.reduce(reduceReply, emptyReply());

describe("replicas on one PostgreSQL", () => {
  const open = testApps({ engine: "postgres", settings: quick });

  async function begin(app: TestApp) {
    const person = await app.signedIn();
    const session = await person.ok(createSession, {});
    const next = app.model.next();
    const stream = await person.stream(completion, { chat_session_id: session.id, prompt: "Go" });
    const run = await next;
    run.say("one ");
    await stream.waitForType("delta");
    return { person, session, stream, run, message: { chat_session_id: session.id, message_id: 2 } };
  }

  /** As if the owner had been silent for too long: its row looks dead, its process still writes. */
  const declareDead = (app: TestApp) =>
    app.db.kysely.updateTable("reply_lease").set({ owner: "a dead process", renewed_at: 0 }).execute();

  it("take a silent one's reply over and finish it; the old writer is fenced", async () => {
    const a = await open({ settings: sleepy });
    const { person, session, run, message } = await begin(a);
    const b = await open({ beside: a, model: createScriptedModel() });
    const next = b.model.next();
    await declareDead(a);
    const second = await next;
    expect(second.request.prefix).toEqual({ reasoning: "", answer: "one " });
    run.say("from the dead");
    const reader = await b.client(person).stream(resumeStream, message);
    second.say("two");
    second.end();
    const reply = fold(await reader.ended);
    expect(reply.message).toMatchObject({ status: "FINISHED", fragments: [{ content: "one two" }] });
    // It learns so when its next words are refused.
    await vi.waitFor(() => expect(run.aborted).toBe(true), 5000);
    const stored = await person.ok(historyMessages, { chat_session_id: session.id });
    expect(stored.chat_messages[1]).toEqual(reply.message);
    expect(b.model.replies).toHaveLength(1);
  });

  it("take over what a dead one renewed before the database's clock was set back", async () => {
    const a = await open({ settings: sleepy });
    await begin(a);
    const b = await open({ beside: a, model: createScriptedModel() });
    const next = b.model.next();
    const renewed_at = Date.now() + 3_600_000;
    await a.db.kysely.updateTable("reply_lease").set({ owner: "a dead process", renewed_at }).execute();
    const second = await next;
    expect(second.request.prefix).toEqual({ reasoning: "", answer: "one " });
    second.end();
  });

  it("go on with a reply during which the wall clock was set forward by an hour", async () => {
    const a = await open({ settings: sleepy });
    const { person, message } = await begin(a);
    const b = await open({ beside: a, model: createScriptedModel() });
    const next = b.model.next();
    const { kysely } = a.db;
    await kysely
      .updateTable("stream_log")
      .set({ at: Date.now() - 3_600_000 })
      .where("first_id", "=", 1)
      .execute();
    await declareDead(a);
    const second = await next;
    const reader = await b.client(person).stream(resumeStream, message);
    second.say("two");
    second.end();
    expect(fold(await reader.ended).message).toMatchObject({
      status: "FINISHED",
      fragments: [{ content: "one two" }],
    });
  });

  it("bring a new chat to light that began before the wall clock was set back by an hour", async () => {
    const a = await open({ settings: sleepy });
    const person = await a.signedIn();
    const { id } = await person.ok(createSession, {});
    const first = a.model.next();
    await person.stream(completion, { chat_session_id: id, prompt: "Go" });
    await first;
    const { kysely } = a.db;
    const snapshots = async () => {
      const groups = await kysely.selectFrom("stream_log").select("events").execute();
      return groups.filter(({ events }) => events.includes('"delta"')).length;
    };
    await expect.poll(snapshots).toBe(1);
    // It died before that, and the clock was set back.
    await kysely.deleteFrom("stream_log").where("first_id", ">", 1).execute();
    await kysely
      .updateTable("replies")
      .set({ started_at: Date.now() + 3_600_000 })
      .execute();
    expect(await snapshots()).toBe(0);
    const b = await open({ beside: a, model: createScriptedModel() });
    const second = b.model.next();
    await declareDead(a);
    await second;
    await expect.poll(snapshots).toBe(1);
  });

  it("show a reader elsewhere what runs here, word by word, without a second generation", async () => {
    const a = await open();
    const b = await open({ beside: a, model: createScriptedModel() });
    const { person, stream, run, message } = await begin(a);
    const elsewhere = await b.client(person).stream(resumeStream, message);
    run.say("two ");
    await elsewhere.waitFor((event) => event.type === "delta" && event.data.v === "two ");
    run.end();
    expect(fold(await elsewhere.ended).message).toEqual(fold(await stream.ended).message);
    expect(b.model.requests).toHaveLength(0);
  });

  it("stop each other's replies within the limit [ENG-079]", async () => {
    const a = await open();
    const b = await open({ beside: a });
    const { person, session, stream, message } = await begin(a);
    await b.client(person).ok(stopStream, message);
    const stored = await person.ok(historyMessages, { chat_session_id: session.id });
    expect(stored.chat_messages[1]).toMatchObject({ status: "INCOMPLETE", fragments: [{ content: "one " }] });
    expect((await stream.ended).at(-1)).toMatchObject({ type: "close", data: { click_behavior: "none" } });
  });

  it("stop a reply whose owner is dead: it is fenced and settled from the log", async () => {
    const a = await open({ settings: { LEASE_TIMEOUT_MS: "60000", LEASE_RENEW_MS: "30000" } });
    const { person, session, message } = await begin(a);
    await a.db.kysely.updateTable("reply_lease").set({ owner: "a dead process" }).execute();
    const b = await open({ beside: a, settings: { LEASE_TIMEOUT_MS: "60000", LEASE_RENEW_MS: "30000" } });
    await b.client(person).ok(stopStream, message);
    const stored = await person.ok(historyMessages, { chat_session_id: session.id });
    expect(stored.chat_messages[1]).toMatchObject({ status: "INCOMPLETE", fragments: [{ content: "one " }] });
  });

  it("hand over at a planned shutdown: the connection ends without close and the other goes on", async () => {
    const a = await open();
    const b = await open({ beside: a, model: createScriptedModel() });
    const { person, stream, run, message } = await begin(a);
    run.say("two ");
    const next = b.model.next();
    await a.app.drain(0);
    const events = await stream.ended;
    expect(events.at(-1)?.type).not.toBe("close");
    const second = await next;
    expect(second.request.prefix).toEqual({ reasoning: "", answer: "one two " });
    const reader = await b.client(person).stream(resumeStream, message);
    second.say("three");
    second.end();
    expect(fold(await reader.ended).message).toMatchObject({ fragments: [{ content: "one two three" }] });
  });

  it("give a reply up after the tries that are allowed: kept, INCOMPLETE, to be retried", async () => {
    const a = await open({ settings: { ...sleepy, TAKEOVER_ATTEMPTS: "1" } });
    const b = await open({
      beside: a,
      model: createScriptedModel(),
      settings: { ...quick, TAKEOVER_ATTEMPTS: "1" },
    });
    const { person, session } = await begin(a);
    const next = b.model.next();
    await declareDead(a);
    await next;
    await declareDead(a);
    await expect
      .poll(
        async () =>
          (await person.ok(historyMessages, { chat_session_id: session.id })).chat_messages[1]?.status,
      )
      .toBe("INCOMPLETE");
    const stored = await person.ok(historyMessages, { chat_session_id: session.id });
    expect(stored.chat_messages[1]?.fragments).toMatchObject([{ content: "one " }]);
  });

  it("give up a reply whose log is damaged: INCOMPLETE, no model call, and the session works on", async () => {
    const a = await open({ settings: sleepy });
    const { person, session } = await begin(a);
    const b = await open({ beside: a, model: createScriptedModel() });
    await a.db.kysely.updateTable("stream_log").set({ events: '[{"type":"del' }).execute();
    await declareDead(a);
    await expect
      .poll(async () => (await a.db.kysely.selectFrom("reply_lease").selectAll().execute()).length)
      .toBe(0);
    const stored = await person.ok(historyMessages, { chat_session_id: session.id });
    expect(stored.chat_messages[1]).toMatchObject({ status: "INCOMPLETE", fragments: [] });
    expect(b.model.requests).toHaveLength(0);
    const again = await b.client(person).stream(completion, { chat_session_id: session.id, prompt: "Again" });
    expect(fold(await again.ended).message).toMatchObject({ status: "FINISHED" });
  });

  it("close a reply whose owner died in the tail, without asking the model", async () => {
    const a = await open();
    const generate = a.model.generate.bind(a.model);
    a.model.generate = (request, signal) =>
      request.purpose === "title" ? untilAborted(signal) : generate(request, signal);
    const { person, session, stream, run } = await begin(a);
    const b = await open({ beside: a, model: createScriptedModel() });
    run.end();
    await stream.waitForType("finish");
    await declareDead(a);
    await expect
      .poll(async () => (await a.db.kysely.selectFrom("reply_lease").selectAll().execute()).length)
      .toBe(0);
    const stored = await person.ok(historyMessages, { chat_session_id: session.id });
    expect(stored.chat_session.title).not.toBeNull();
    expect(b.model.requests).toHaveLength(0);
  });
});

/** A title that never comes. */
async function* untilAborted(signal: AbortSignal): AsyncGenerator<never> {
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  signal.throwIfAborted();
}
