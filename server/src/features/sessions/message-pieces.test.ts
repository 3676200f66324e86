import { stopStream } from "@plumb/protocol/wire/replies";
import { createSession } from "@plumb/protocol/wire/sessions";
import { completion, continueMessage } from "@plumb/protocol/wire/turns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import { fragmentPieces, messagesAsJson } from "./message-pieces.ts";
import {
  findMessageHead,
  listMessageHeads,
  listMessages,
  type MessageHead,
  presentMessage,
} from "./message-store.ts";

describe.each(engines)("the words of a stored message on %s", (engine) => {
  let app: TestApp;
  let person: TestClient;
  beforeAll(async () => {
    app = await createTestApp({ engine });
    person = await app.signedIn();
  });
  afterAll(() => app.close());

  async function headOf(session: string): Promise<MessageHead> {
    const head = await findMessageHead(app.db.kysely, session, 2);
    if (head === undefined) throw new Error("the reply is not stored");
    return head;
  }
  async function wordsOf(head: MessageHead): Promise<unknown> {
    const pieces: Uint8Array[] = [];
    for await (const piece of fragmentPieces(app.db, head)) pieces.push(piece);
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  }

  it("are read whole although the title and the close of the reply were stored meanwhile", async () => {
    const session = (await person.ok(createSession, {})).id;
    await (
      await person.stream(completion, { chat_session_id: session, prompt: "你好" })
    ).ended;
    const head = await headOf(session);
    const beforeTail = { ...head, last_event_id: head.last_event_id - 3 };
    expect(await wordsOf(beforeTail)).toMatchObject([{ type: "RESPONSE", content: "You said: 你好" }]);
  });

  it("stand in the history with what is true of the message now; one that is gone is left out", async () => {
    const session = (await person.ok(createSession, {})).id;
    await (
      await person.stream(completion, { chat_session_id: session, prompt: "Hello" })
    ).ended;
    const heads = await listMessageHeads(app.db.kysely, session);
    const known = heads.map((head) => ({
      ...head,
      status: head.role === "USER" ? head.status : "INCOMPLETE",
    }));
    const last = heads.at(-1);
    if (last === undefined) throw new Error("nothing is stored");
    const gone = { ...last, message_id: last.message_id + 1 };
    const texts: string[] = [];
    for await (const pieces of messagesAsJson(app.db, [...known, gone], new Map()))
      for await (const piece of pieces) texts.push(Buffer.from(piece as string).toString("utf8"));
    expect(JSON.parse(`[${texts.join("")}]`)).toEqual(
      (await listMessages(app.db.kysely, session)).map((row) => presentMessage(row)),
    );
  });

  it("are not mixed with those of a later run", async () => {
    const session = (await person.ok(createSession, {})).id;
    const write = async (begin: () => ReturnType<TestClient["stream"]>, text: string): Promise<void> => {
      const next = app.model.next();
      const stream = await begin();
      const run = await next;
      const before = stream.events.length;
      run.say(text);
      await stream.waitFor((event) => stream.events.length > before && event.type === "delta");
      await expect.poll(() => stream.text()).toContain(text);
      await person.ok(stopStream, { chat_session_id: session });
      await stream.ended;
    };
    await write(() => person.stream(completion, { chat_session_id: session, prompt: "Count" }), "One");
    const head = await headOf(session);
    expect(head.status).toBe("INCOMPLETE");
    await write(() => person.stream(continueMessage, { chat_session_id: session, message_id: 2 }), "Two");
    expect((await headOf(session)).status).toBe("INCOMPLETE");
    await expect(wordsOf(head)).rejects.toThrow("changed while it was read");
  });
});
