// A thought that is told afterwards (wire-contract.md §4.5 K) beside all that can come between: a stop, a continue, the death of who
// writes, and a resume from each event.
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { resumeStream, stopStream } from "@plumb/protocol/wire/replies";
import { createSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion, continueMessage } from "@plumb/protocol/wire/turns";
import { describe, expect, it } from "vitest";
import { exchange } from "../../../test/conformance/http-exchange.ts";
import type { TestApp } from "../../../test/create-test-app.ts";
import { createScriptedModel, type ScriptedModel, type ScriptedRun } from "../../../test/scripted-model.ts";
import { framesAfter, framesOf } from "../../../test/stream-frames.ts";
import { testApps } from "../../../test/test-apps.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";

const MARK = { type: "text_was_thought" } as const;
const text = (said: string) => ({ type: "text", text: said }) as const;
const fold = (events: readonly ReceivedEvent[]) => events.reduce(reduceReply, emptyReply());
const isMark = (event: ReceivedEvent): boolean =>
  event.type === "delta" && event.data.o === "BATCH" && event.data.p === "response/fragments/-1";
const secondsTold = (events: readonly ReceivedEvent[]): number =>
  events.filter((event) => event.type === "delta" && JSON.stringify(event.data).includes('elapsed_secs","'))
    .length;

/** A reply whose thought comes as text. */
async function begin(app: TestApp) {
  const person = await app.signedIn();
  const session = await person.ok(createSession, {});
  const next = app.model.next();
  const stream = await person.stream(completion, { chat_session_id: session.id, prompt: "2+2?" });
  const run = await next;
  run.say("Two ");
  await stream.waitForType("delta");
  run.say("and two.");
  await stream.waitFor((event) => event.type === "delta" && event.data.v === "and two.");
  return { person, stream, run, reply: { chat_session_id: session.id, message_id: 2 } };
}

const stored = async (person: TestClient, { chat_session_id }: { chat_session_id: string }) =>
  (await person.ok(historyMessages, { chat_session_id })).chat_messages[1];

const thought = (content: string) => ({ type: "THINK", content, elapsed_secs: expect.any(Number) });

describe.each(engines)("a thought told afterwards on %s", (engine) => {
  const open = testApps({ engine, settings: { LOG_FLUSH_MS: "1" } });

  async function goOn(
    model: ScriptedModel,
    person: TestClient,
    reply: { chat_session_id: string; message_id: number },
  ) {
    const next = model.next();
    const stream = await person.stream(continueMessage, reply);
    return { stream, run: await next };
  }

  it("is one after a stop before it was told, and a continue", async () => {
    const app = await open();
    const { person, reply } = await begin(app);
    await person.ok(stopStream, reply);
    expect((await stored(person, reply))?.fragments).toMatchObject([
      { type: "RESPONSE", content: "Two and two." },
    ]);
    const { stream, run } = await goOn(app.model, person, reply);
    expect(run.request.prefix).toEqual({ reasoning: "", answer: "Two and two." });
    run.push(text(" So."));
    run.push(MARK, text("Four."));
    run.end();
    const { message } = fold(await stream.ended);
    expect(message?.fragments).toMatchObject([
      thought("Two and two. So."),
      { type: "RESPONSE", content: "Four." },
    ]);
    expect(await stored(person, reply)).toEqual(message);
  });

  it("is one where the continued model closes it at once", async () => {
    const app = await open();
    const { person, reply } = await begin(app);
    await person.ok(stopStream, reply);
    const { stream, run } = await goOn(app.model, person, reply);
    run.push(MARK, text("Four."));
    run.end();
    expect(fold(await stream.ended).message?.fragments).toMatchObject([
      thought("Two and two."),
      { type: "RESPONSE", content: "Four." },
    ]);
  });

  it("stays one after a stop behind it, before a word of the answer, and goes on as one", async () => {
    const app = await open();
    const { person, stream: first, run: begun, reply } = await begin(app);
    // Of one arrival: what is told of it is told with the words before it.
    begun.push(text(" So."), MARK);
    await first.waitFor((event) => event.type === "delta" && event.data.v === " So.");
    await person.ok(stopStream, reply);
    const before = await first.ended;
    expect((await stored(person, reply))?.fragments).toMatchObject([thought("Two and two. So.")]);
    expect(secondsTold(before)).toBe(1);
    const { stream, run } = await goOn(app.model, person, reply);
    expect(run.request.prefix).toEqual({ reasoning: "Two and two. So.", answer: "" });
    run.push(text("Four."));
    run.end();
    expect(fold(await stream.ended).message?.fragments).toMatchObject([
      thought("Two and two. So."),
      { type: "RESPONSE", content: "Four." },
    ]);
  });

  it("stays as it is after a stop in the answer, and a continue", async () => {
    const app = await open();
    const { person, stream: first, run: begun, reply } = await begin(app);
    begun.push(MARK, text("Fo"));
    await first.waitFor(isMark);
    await first.waitFor((event) => event.type === "delta" && event.data.p === "response/fragments");
    await person.ok(stopStream, reply);
    const before = await stored(person, reply);
    expect(before?.fragments).toMatchObject([thought("Two and two."), { type: "RESPONSE", content: "Fo" }]);
    const { stream, run } = await goOn(app.model, person, reply);
    expect(run.request.prefix).toEqual({ reasoning: "Two and two.", answer: "Fo" });
    run.say("ur.");
    run.end();
    const { message } = fold(await stream.ended);
    expect(message?.fragments).toEqual([before?.fragments[0], { ...before?.fragments[1], content: "Four." }]);
  });

  it("is resumed from every event, with the bytes that the first reader got", async () => {
    const app = await open();
    const { person, stream: first, run, reply } = await begin(app);
    run.push(MARK, text("Fo"));
    await first.waitFor((event) => event.type === "delta" && event.data.p === "response/fragments");
    run.say("ur.");
    await first.waitFor((event) => event.type === "delta" && event.data.v === "ur.");
    const last = first.events.at(-1)?.id ?? 0;
    const headers = { authorization: `Bearer ${person.token}` };
    const read = async (position: number) => {
      const { stream } = await exchange(app.address, {
        method: "POST",
        path: "/api/v0/chat/resume_stream",
        headers: { ...headers, ...(position === 0 ? {} : { "last-event-id": String(position) }) },
        body: JSON.stringify(reply),
      });
      if (stream === null) throw new Error("the reply runs no more");
      await stream.until((events) => events.at(-1)?.id === last || position === last);
      return stream;
    };
    // From the first event on: what the first reader got, but for its ready.
    const whole = await read(1);
    const frames = framesOf(whole.text);
    for (let position = 2; position <= last; position += 1) {
      const stream = await read(position);
      const [, ...rest] = stream.text.split(/(?<=\n\n)/).filter((frame) => !frame.startsWith(":"));
      expect(rest.join(""), `after ${position}`).toBe(framesAfter(position, frames, last));
      // And what it had with what it gets is the same reply.
      const had = first.events.filter((event) => (event.id ?? 0) <= position);
      expect([...had, ...stream.events].reduce(reduceReply, emptyReply()).message).toEqual(
        fold(first.events).message,
      );
      stream.cut();
    }
    const snapshot = await read(0);
    expect(snapshot.message().fragments).toMatchObject([
      thought("Two and two."),
      { type: "RESPONSE", content: "Four." },
    ]);
    snapshot.cut();
    whole.cut();
    run.end();
    await first.ended;
  });
});

describe("a thought told afterwards, between replicas on one PostgreSQL", () => {
  /** An owner that neither renews nor claims while the test lasts. */
  const sleepy = { LEASE_TIMEOUT_MS: "60000", LEASE_RENEW_MS: "30000", LOG_FLUSH_MS: "1" };
  const open = testApps({
    engine: "postgres",
    settings: { LEASE_TIMEOUT_MS: "600", LEASE_RENEW_MS: "100", LOG_FLUSH_MS: "1" },
  });

  const beganBeforeMs = 5000;

  /** The writer falls silent once `said` is stored; another one takes its reply over. */
  async function takenOver(say: (run: ScriptedRun) => void, until: (event: ReceivedEvent) => boolean) {
    const a = await open({ settings: sleepy });
    const { person, stream, run, reply } = await begin(a);
    say(run);
    await stream.waitFor(until);
    const seen = [...stream.events];
    // As if it had thought for longer.
    await a.db.kysely
      .updateTable("stream_log")
      .set(({ eb }) => ({ at: eb("at", "-", beganBeforeMs) }))
      .where("first_id", "<=", 3)
      .execute();
    const b = await open({ beside: a, model: createScriptedModel() });
    const next = b.model.next();
    await a.db.kysely.updateTable("reply_lease").set({ owner: "a dead process", renewed_at: 0 }).execute();
    const second = await next;
    const reader = await b
      .client(person)
      .stream(resumeStream, reply, { "Last-Event-ID": String(seen.at(-1)?.id) });
    return { seen, second, reader };
  }

  it("is told by who takes the reply over before, with the time of both", async () => {
    const { seen, second, reader } = await takenOver(
      () => {},
      () => true,
    );
    expect(second.request.prefix).toEqual({ reasoning: "", answer: "Two and two." });
    second.push(text(" So."));
    second.push(MARK, text("Four."));
    second.end();
    const events = [...seen, ...(await reader.ended)];
    const { fragments } = fold(events).message ?? { fragments: [] };
    expect(fragments).toMatchObject([thought("Two and two. So."), { content: "Four." }]);
    const { elapsed_secs: seconds } = fragments[0] as { elapsed_secs: number };
    expect(seconds).toBeGreaterThanOrEqual(beganBeforeMs / 1000);
    expect(secondsTold(events)).toBe(1);
  });

  it("is told once where its writer died when it was over and no answer had come", async () => {
    const { seen, second, reader } = await takenOver(
      (run) => run.push(text(" So."), MARK),
      (event) => event.type === "delta" && event.data.v === " So.",
    );
    // To whoever goes on it is what it was to the reader: text. The model closes it again.
    expect(second.request.prefix).toEqual({ reasoning: "", answer: "Two and two. So." });
    second.push(MARK, text("Four."));
    second.end();
    const events = [...seen, ...(await reader.ended)];
    expect(fold(events).message?.fragments).toMatchObject([
      thought("Two and two. So."),
      { content: "Four." },
    ]);
    expect(secondsTold(events)).toBe(1);
  });

  it("is told once where its writer died in the answer", async () => {
    const { seen, second, reader } = await takenOver(
      (run) => run.push(MARK, text("Fo")),
      (event) => event.type === "delta" && event.data.p === "response/fragments",
    );
    expect(second.request.prefix).toEqual({ reasoning: "Two and two.", answer: "Fo" });
    const before = fold(seen).message?.fragments[0];
    second.say("ur.");
    second.end();
    const events = [...seen, ...(await reader.ended)];
    expect(fold(events).message?.fragments).toMatchObject([before, { content: "Four." }]);
    expect(secondsTold(events)).toBe(1);
  });
});
