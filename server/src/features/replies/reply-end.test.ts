// The end of a reply: the bound of its size, and what may follow at once.
import { isFragment } from "@plumb/protocol/conversation/fragment";
import { LIMITS } from "@plumb/protocol/limits";
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { stopStream } from "@plumb/protocol/wire/replies";
import { createSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion, continueMessage } from "@plumb/protocol/wire/turns";
import { describe, expect, it } from "vitest";
import { testApps } from "../../../test/test-apps.ts";
import { engines } from "../../../test/test-databases.ts";
import type { ModelChunk } from "../../ports/model-provider.ts";

const fold = (events: readonly ReceivedEvent[]) => events.reduce(reduceReply, emptyReply());

describe.each(engines)("the end of a reply on %s", (engine) => {
  const open = testApps({ engine });

  it("comes when a model goes on without end: INCOMPLETE with what was said, and the model is let go", async () => {
    const app = await open();
    const person = await app.signedIn();
    const session = await person.ok(createSession, {});
    let letGo = false;
    // With the thought before it, the bound falls into the last character of the last piece.
    const flood = `${"a".repeat(2 ** 20 - 2)}💣`;
    app.model.generate = async function* (_request, signal): AsyncGenerator<ModelChunk[]> {
      try {
        yield [{ type: "reasoning", text: "x" }];
        for (;;) {
          await new Promise((resolve) => setTimeout(resolve, 1));
          signal.throwIfAborted();
          yield [{ type: "text", text: flood }];
        }
      } finally {
        letGo = true;
      }
    };
    const stream = await person.stream(completion, { chat_session_id: session.id, prompt: "Go" });
    const events = await stream.ended;
    expect(letGo).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: "close", data: { click_behavior: "none" } });
    const { message } = fold(events);
    expect(message?.status).toBe("INCOMPLETE");
    const text = (message?.fragments ?? [])
      .map((part) => (isFragment(part, "THINK") || isFragment(part, "RESPONSE") ? part.content : ""))
      .join("");
    expect(text.length).toBe(LIMITS.replyChars - 1);
    expect(text.isWellFormed()).toBe(true);
    const stored = await person.ok(historyMessages, { chat_session_id: session.id });
    expect(stored.chat_messages[1]?.status).toBe("INCOMPLETE");
    expect(JSON.stringify(stored.chat_messages[1]?.fragments).length).toBe(
      JSON.stringify(message?.fragments).length,
    );
    expect(events.filter((event) => event.type === "hint")).toEqual([]);
  }, 60_000);

  it("comes when a model changes between thought and answer without end, and loses nothing of it", async () => {
    const app = await open();
    const person = await app.signedIn();
    const session = await person.ok(createSession, {});
    const turn: ModelChunk[] = [
      { type: "reasoning", text: "x" },
      { type: "text", text: "y" },
    ];
    app.model.generate = async function* (_request, signal): AsyncGenerator<ModelChunk[]> {
      for (let turns = 0; turns < 12_000; turns += 200) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        signal.throwIfAborted();
        yield Array.from({ length: 200 }, () => turn).flat();
      }
    };
    const stream = await person.stream(completion, { chat_session_id: session.id, prompt: "Go" });
    const events = await stream.ended;
    expect(events.at(-1)).toMatchObject({ type: "close", data: { click_behavior: "none" } });
    const { message } = fold(events);
    expect(message?.status).toBe("INCOMPLETE");
    expect(message?.fragments.length).toBeGreaterThan(500);
    const stored = await person.ok(historyMessages, { chat_session_id: session.id });
    expect(stored.chat_messages[1]).toEqual(message);
  });

  it("by a stop leaves nothing that would refuse to continue it", async () => {
    const app = await open();
    const person = await app.signedIn();
    const session = await person.ok(createSession, {});
    const next = app.model.next();
    const stream = await person.stream(completion, { chat_session_id: session.id, prompt: "Go" });
    const run = await next;
    run.say("one ");
    await stream.waitForType("delta");

    // Whatever follows the transaction that stored the end waits until the reply goes on.
    const { transaction } = app.db;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let told = (): void => {};
    const stored = new Promise<void>((resolve) => {
      told = resolve;
    });
    app.db.transaction = async (work) => {
      const result = await transaction.call(app.db, work);
      const ended = await app.db.kysely
        .selectFrom("messages")
        .select("status")
        .where("status", "=", "INCOMPLETE")
        .execute();
      if (ended.length > 0) {
        told();
        await released;
      }
      return result as never;
    };
    const stopped = person.ok(stopStream, { chat_session_id: session.id });
    await stored;
    app.db.transaction = transaction.bind(app.db);
    const again = app.model.next();
    const more = await person.stream(continueMessage, { chat_session_id: session.id, message_id: 2 });
    const second = await again;
    release();
    await stopped;
    second.say("two");
    second.end();
    expect(fold(await more.ended).message).toMatchObject({
      status: "FINISHED",
      fragments: [{ content: "one two" }],
    });
    await stream.ended;
    const log = await app.db.kysely.selectFrom("stream_log").select("events").orderBy("first_id").execute();
    const closes = log.flatMap((row) => JSON.parse(row.events) as { type: string }[]);
    expect(closes.filter(({ type }) => type === "close")).toHaveLength(2);
  });

  it("leaves the session free for the next message while the title is still waited for", async () => {
    const app = await open();
    const generate = app.model.generate.bind(app.model);
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    app.model.generate = async function* (request, signal) {
      if (request.purpose === "title") await released;
      yield* generate(request, signal);
    };
    const person = await app.signedIn();
    const session = await person.ok(createSession, {});
    const first = await person.stream(completion, { chat_session_id: session.id, prompt: "One" });
    await first.waitForType("finish");
    const second = await person.stream(completion, {
      chat_session_id: session.id,
      parent_message_id: 2,
      prompt: "Two",
    });
    await second.waitForType("finish");
    release();
    const [one, two] = [fold(await first.ended), fold(await second.ended)];
    expect([one.message?.status, two.message?.status]).toEqual(["FINISHED", "FINISHED"]);
    // Both were asked for a title; the session has one.
    expect([one.title, two.title].filter((title) => title !== null)).toEqual(["A title"]);
  });
});
