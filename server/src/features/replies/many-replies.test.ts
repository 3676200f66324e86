// Many replies in one session, each with numbers of its own: a reader may bring the number of another reply.
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { resumeStream } from "@plumb/protocol/wire/replies";
import { createSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion, regenerate } from "@plumb/protocol/wire/turns";
import { afterEach, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import { engines } from "../../../test/test-databases.ts";

const ANSWERS = process.env["TEST_LONG"] === "1" ? 50 : 10;
const settings = { MESSAGES_PER_MINUTE: "1000" };
const fold = (events: readonly ReceivedEvent[]) => events.reduce(reduceReply, emptyReply());

describe.each(engines)("answers to one question on %s", (engine) => {
  const apps: TestApp[] = [];
  afterEach(async () => {
    for (const app of apps.splice(0).reverse()) await app.close();
  });

  it("are whole for a reader who brings the number of the answer before, on whichever process it asks", async () => {
    const first = await createTestApp({ engine, settings });
    apps.push(first);
    if (engine === "postgres")
      for (let process = 0; process < 2; process += 1)
        apps.push(await createTestApp({ beside: first, settings, model: first.model }));
    const person = await first.signedIn();
    const { id } = await person.ok(createSession, {});
    await (
      await person.stream(completion, { chat_session_id: id, prompt: "Go" })
    ).ended;

    let lastId = 0;
    for (let answer = 0; answer < ANSWERS; answer += 1) {
      const at = (step: number) => apps[(answer + step) % apps.length]!.client(person);
      const next = first.model.next();
      const stream = await at(0).stream(regenerate, { chat_session_id: id, child_message_id: 2 });
      const run = await next;
      run.say(`Answer ${answer} `);
      await stream.waitForType("delta");
      const message = { chat_session_id: id, message_id: answer + 3 };
      const other = await at(1).stream(resumeStream, message, { "Last-Event-ID": String(lastId) });
      const second = await at(2).stream(resumeStream, message);
      run.say("is its own.");
      run.end();
      const ends = await Promise.all([stream, other, second].map(({ ended }) => ended));
      for (const events of ends)
        expect(fold(events).message).toMatchObject({
          message_id: message.message_id,
          status: "FINISHED",
          fragments: [{ content: `Answer ${answer} is its own.` }],
        });
      expect(ends[0]!.map((event) => event.id)).toEqual(ends[0]!.map((_event, index) => index + 1));
      lastId = ends[0]!.at(-1)?.id ?? 0;
    }
    const { chat_messages } = await person.ok(historyMessages, { chat_session_id: id });
    expect(chat_messages).toHaveLength(ANSWERS + 2);
    expect(first.model.replies).toHaveLength(ANSWERS + 1);
  }, 60_000);
});
