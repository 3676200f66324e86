// Answers whose size a user has chosen, and whose reader takes nothing: they are not made before they are taken.
import { connect, type Socket } from "node:net";
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import { resumeStream } from "@plumb/protocol/wire/replies";
import { createSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as messageStore from "../../src/features/sessions/message-store.ts";
import { createTestApp, type TestApp } from "../create-test-app.ts";
import type { TestClient } from "../test-client.ts";
import { engines } from "../test-databases.ts";

vi.mock("../../src/features/sessions/message-store.ts", { spy: true });

/** Far above what the buffers of the system take of one connection. */
const REPLY_BYTES = 20 * 1024 * 1024;
/** Of several pieces. */
const READ_BYTES = (process.env["TEST_LONG"] === "1" ? 20 : 2) * 1024 * 1024;
/** Prompts of which two or three are read at a time. */
const PROMPT_BYTES = 50_000;
const PROMPTS = 400;

let app: TestApp;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

/** An ended reply of so many bytes, and the call that began it. */
async function longReply(person: TestClient, bytes: number) {
  const { id } = await person.ok(createSession, {});
  const input = { chat_session_id: id, prompt: "Go", client_stream_id: "20260101-0123456789abcdef" };
  const words = "many words \u4e2d\u{1f600} ";
  const piece = words.repeat(Math.ceil((512 * 1024) / Buffer.byteLength(words)));
  app.model.answer = () => Array.from({ length: bytes / 1024 / 512 }, () => piece);
  const stream = await person.stream(completion, input);
  const whole = (await stream.ended).reduce(reduceReply, emptyReply());
  expect(whole.message?.status).toBe("FINISHED");
  return { input, whole };
}

/** Asks and reads nothing. */
async function askWithoutReading(person: TestClient, head: string, body: object | null): Promise<Socket> {
  const socket = connect(Number(new URL(app.address).port), "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => {});
  socket.pause();
  const text = body === null ? "" : JSON.stringify(body);
  const length = body === null ? "" : `Content-Length: ${Buffer.byteLength(text)}\r\n`;
  socket.write(
    `${head} HTTP/1.1\r\nHost: plumb\r\nAuthorization: Bearer ${person.token}\r\n${length}\r\n${text}`,
  );
  return socket;
}

const piecesRead = () => vi.mocked(messageStore.readFragmentBytes).mock.calls.length;

/** Resolves when no piece has been read for a while: the unread connections are full. */
async function standstill(count = piecesRead): Promise<number> {
  let before = -1;
  await vi.waitFor(
    () => {
      const now = count();
      const still = now > 0 && now === before;
      before = now;
      expect(still).toBe(true);
    },
    { timeout: 20_000, interval: 300 },
  );
  return before;
}

describe.each(engines)("an ended long reply on %s", (engine) => {
  it("comes whole by a repeat, by a resume and in the history", async () => {
    app = await createTestApp({ engine });
    const person = await app.signedIn();
    const { input, whole } = await longReply(person, READ_BYTES);
    const repeated = (await (await person.stream(completion, input)).ended).reduce(reduceReply, emptyReply());
    expect(repeated.message).toEqual(whole.message);
    expect(repeated).toMatchObject({ finished: true, title: whole.title, lastEventId: whole.lastEventId });
    const message = { chat_session_id: input.chat_session_id, message_id: 2 };
    const resumed = await person.ok(resumeStream, message);
    expect(resumed.message).toEqual(whole.message);
    const { chat_messages: messages, cache_valid: valid } = await person.ok(historyMessages, message);
    expect(messages.map((one) => one.message_id)).toEqual([1, 2]);
    expect(messages[1]).toEqual(whole.message);
    expect(valid).toBe(false);
  }, 120_000);

  it("stands in a history of many prompts, which comes whole and is read no further than it is taken", async () => {
    app = await createTestApp({ engine });
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    await (
      await person.stream(completion, { chat_session_id: id, prompt: "Go" })
    ).ended;
    const content = "a prompt \u4e2d ".repeat(PROMPT_BYTES / 13);
    const request = await messageStore.findMessage(app.db.kysely, id, 1);
    if (request === undefined) throw new Error("the request is not stored");
    for (let index = 0; index < PROMPTS; index += 1) {
      const fragments = JSON.stringify([{ id: 1, type: "REQUEST", content: `${index} ${content}` }]);
      await messageStore.insertMessages(app.db.kysely, [{ ...request, message_id: 3 + index, fragments }]);
    }
    const read = vi.mocked(messageStore.listWordsBetween);
    read.mockClear();
    const { chat_messages: messages } = await person.ok(historyMessages, { chat_session_id: id });
    expect(messages.map((one) => one.message_id)).toEqual(messages.map((_one, index) => index + 1));
    expect(messages).toHaveLength(2 + PROMPTS);
    expect(messages.at(-1)?.fragments).toEqual([
      { id: 1, type: "REQUEST", content: `${PROMPTS - 1} ${content}` },
    ]);
    const all = read.mock.calls.length;
    expect(all).toBeGreaterThan(PROMPTS / 3);
    read.mockClear();
    const query = new URLSearchParams({ chat_session_id: id });
    await askWithoutReading(person, `GET ${historyMessages.path}?${query.toString()}`, null);
    expect(await standstill(() => read.mock.calls.length)).toBeLessThan(all * 0.75);
  }, 120_000);

  it("is read from the database only as far as its readers take it", async () => {
    app = await createTestApp({ engine });
    const person = await app.signedIn();
    const { input } = await longReply(person, REPLY_BYTES);
    const all = Math.ceil(REPLY_BYTES / ((engine === "postgres" ? 512 : 128) * 1024));
    vi.mocked(messageStore.readFragmentBytes).mockClear();
    await askWithoutReading(person, `POST ${completion.path}`, input);
    expect(await standstill()).toBeLessThan(all / 2);
    vi.mocked(messageStore.readFragmentBytes).mockClear();
    const query = new URLSearchParams({ chat_session_id: input.chat_session_id });
    await askWithoutReading(person, `GET ${historyMessages.path}?${query.toString()}`, null);
    expect(await standstill()).toBeLessThan(all / 2);
  }, 120_000);
});
