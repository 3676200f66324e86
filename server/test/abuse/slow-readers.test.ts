// Readers of long replies that stop, take a byte at a time, or go while they are blocked: none of them costs much memory or
// holds the others up, and none loses a word.
import { connect, type Socket } from "node:net";
import { createByteDecoder } from "@plumb/protocol/stream/event-stream-decoder";
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { resumeStream } from "@plumb/protocol/wire/replies";
import { createSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { afterEach, expect, it, vi } from "vitest";
import * as sseResponse from "../../src/platform/http/sse-response.ts";
import { createTestApp, type TestApp, type TestAppOptions } from "../create-test-app.ts";
import type { EventStreamReader } from "../event-stream-reader.ts";
import { heldBytes } from "../held-bytes.ts";
import { postHead } from "../raw-http.ts";
import type { ScriptedRun } from "../scripted-model.ts";
import type { TestClient } from "../test-client.ts";

vi.mock("../../src/platform/http/sse-response.ts", { spy: true });

const MIB = 1024 * 1024;
const long = process.env["TEST_LONG"] === "1";
/** Of each user's reply seven are read badly: as many streams as one reply may have. */
const USERS = long ? 15 : 2;
/** Far more than the system takes on a reader's behalf. */
const REPLY_CHARS = 8 * MIB;
const PIECE = "some words, \u4e2d\u6587 and then more ".repeat(1000);
/** What one that stops may cost. */
const EACH_BYTES = 4 * MIB;

let app: TestApp;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
  vi.mocked(sseResponse.createSseResponse).mockClear();
});

interface Running {
  person: TestClient;
  run: ScriptedRun;
  healthy: EventStreamReader;
  message: { chat_session_id: string; message_id: number };
}

async function begin(options: TestAppOptions, users: number): Promise<Running[]> {
  app = await createTestApp(options);
  const all: Running[] = [];
  for (let user = 0; user < users; user += 1) {
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    const next = app.model.next();
    const healthy = await person.stream(completion, { chat_session_id: id, prompt: "Go" });
    const run = await next;
    run.say("It begins. ");
    await healthy.waitForType("delta");
    all.push({ person, run, healthy, message: { chat_session_id: id, message_id: 2 } });
  }
  return all;
}

interface BadReader {
  socket: Socket;
  /** Takes everything from here on, as fast as it comes. */
  read(): void;
  /** All events, when the server has ended the response. */
  ended: Promise<ReceivedEvent[]>;
  readonly sse: sseResponse.SseResponse;
}

/** A reader that takes `bytes` each 20 ms; 0 = nothing at all, once the response has begun. */
async function readBadly({ person, message }: Running, bytes: 0 | 1): Promise<BadReader> {
  const made = vi.mocked(sseResponse.createSseResponse).mock.results;
  const place = made.length;
  const body = JSON.stringify(message);
  const events: ReceivedEvent[] = [];
  let head = "";
  let badly = true;
  let begun = (): void => {};
  const beginning = new Promise<void>((resolve) => {
    begun = resolve;
  });
  // One byte at a time from the system, too: what it holds for this process is the reader's own.
  const buffer = Buffer.alloc(64 * 1024);
  const decoder = createByteDecoder({
    onEvent: (event) => void events.push(event),
    onBad: ({ reason }) => void socket.destroy(new Error(reason)),
    onComment: () => {},
  });
  let chunks: Buffer = Buffer.alloc(0);
  const socket = connect({
    host: "127.0.0.1",
    port: Number(new URL(app.address).port),
    onread: {
      buffer: () => (badly && head.includes("\r\n\r\n") ? buffer.subarray(0, 1) : buffer),
      callback(count: number, from: Uint8Array) {
        if (head.includes("\r\n\r\n")) chunks = takeChunks(Buffer.concat([chunks, from.subarray(0, count)]));
        else {
          head += Buffer.from(from.subarray(0, count)).toString("latin1");
          const at = head.indexOf("\r\n\r\n");
          if (at !== -1) {
            chunks = takeChunks(Buffer.from(head.slice(at + 4), "latin1"));
            begun();
          }
        }
        if (badly && bytes === 1) setTimeout(() => socket.resume(), 20);
        return !badly;
      },
    },
  });
  /** Chunked encoding → the decoder. Returns what is not whole yet. */
  function takeChunks(all: Buffer): Buffer {
    let rest = all;
    for (;;) {
      const at = rest.indexOf("\r\n");
      if (at === -1) return rest;
      const length = Number.parseInt(rest.toString("latin1", 0, at), 16);
      if (rest.length < at + 2 + length + 2) return rest;
      decoder.push(rest.subarray(at + 2, at + 2 + length));
      rest = rest.subarray(at + 2 + length + 2);
    }
  }
  sockets.push(socket);
  socket.on("error", () => {});
  const ended = new Promise<ReceivedEvent[]>((resolve) => socket.on("close", () => resolve(events)));
  const authorization = `authorization: Bearer ${person.token}`;
  socket.write(
    postHead(resumeStream.path, Buffer.byteLength(body), authorization, "connection: close") + body,
  );
  await beginning;
  return {
    socket,
    ended,
    read() {
      badly = false;
      socket.resume();
    },
    get sse() {
      return made[place]?.value as sseResponse.SseResponse;
    },
  };
}

/** Says so many code units, in turns with everything else. */
async function say(runs: readonly Running[], chars: number, look: () => void): Promise<void> {
  for (let said = 0; said < chars; said += PIECE.length) {
    for (const { run } of runs) run.say(PIECE);
    await new Promise((resolve) => setImmediate(resolve));
    look();
  }
}

const fold = (events: readonly ReceivedEvent[]) => events.reduce(reduceReply, emptyReply());
const closes = (events: readonly ReceivedEvent[]) => events.some((event) => event.type === "close");
const numbered = (events: readonly ReceivedEvent[]) => events.flatMap(({ id }) => (id === null ? [] : [id]));
const used = (): number => heldBytes() + process.memoryUsage().heapUsed;
/** As `used`, without what one collection finds and only the next one frees. */
async function usedAtRest(): Promise<number> {
  used();
  await new Promise((resolve) => setTimeout(resolve, 50));
  return used();
}

it("of long replies, seven bad readers each: bounded memory, no hold-up, no loss", async () => {
  const running = await begin({}, USERS);
  const stopped: BadReader[] = [];
  const byByte: BadReader[] = [];
  const leaving: BadReader[] = [];
  for (const one of running) {
    for (let index = 0; index < 3; index += 1) stopped.push(await readBadly(one, 0));
    for (let index = 0; index < 2; index += 1) byByte.push(await readBadly(one, 1));
    for (let index = 0; index < 2; index += 1) leaving.push(await readBadly(one, 0));
  }
  const bad = [...stopped, ...byByte, ...leaving];
  let most = 0;
  const look = (): void => {
    for (const { sse } of bad) most = Math.max(most, sse.buffered);
  };
  await say(running, REPLY_CHARS / 2, look);
  await vi.waitFor(() => expect(bad.every(({ sse }) => sse.buffered > 0)).toBe(true), { timeout: 20_000 });
  // Closed while a write waits: nothing is left that waits for a drain.
  for (const { socket } of leaving) socket.destroy();
  await vi.waitFor(() => expect(leaving.every(({ sse }) => sse.closed && sse.buffered === 0)).toBe(true));
  await say(running, REPLY_CHARS / 2, look);
  for (const { run } of running) run.end();

  // Those who read have all of it while the others are still blocked.
  const heard = await Promise.all(running.map(({ healthy }) => healthy.ended));
  for (const ids of heard.map(numbered)) expect(ids).toEqual(ids.map((_id, at) => 1 + at));
  const whole = heard.map(fold);
  for (const [index, { person, message }] of running.entries()) {
    const stored = await person.ok(historyMessages, message);
    expect(stored.chat_messages[1]?.status).toBe("FINISHED");
    expect(stored.chat_messages[1]).toEqual(whole[index]?.message);
  }
  expect([...stopped, ...byByte].every(({ sse }) => !sse.closed)).toBe(true);

  // What the connections of bad readers cost, beside all else that is in memory.
  expect(most).toBeLessThan(EACH_BYTES);
  const blocked = await usedAtRest();
  for (const { socket } of byByte) socket.destroy();
  await vi.waitFor(() => expect(byByte.every(({ sse }) => sse.closed)).toBe(true));
  expect(blocked - (await usedAtRest())).toBeLessThan(byByte.length * EACH_BYTES);

  for (const reader of stopped) reader.read();
  const later = await Promise.all(stopped.map(({ ended }) => ended));
  for (const [index, events] of later.entries()) {
    expect(closes(events)).toBe(true);
    const ids = numbered(events);
    expect(ids).toEqual(ids.map((_id, at) => (ids[0] ?? 0) + at));
    expect(fold(events).message).toEqual(whole[Math.floor(index / 3)]?.message);
  }
}, 120_000);

it("one that takes nothing is cut in time, and resumes without loss", async () => {
  const running = await begin({ httpLimits: { unreadMs: 400 } }, 1);
  const [one] = running;
  if (one === undefined) throw new Error("no reply runs");
  const stopped = await readBadly(one, 0);
  await say(running, 6 * MIB, () => {});
  await vi.waitFor(() => expect(stopped.sse.closed).toBe(true), { timeout: 20_000 });
  stopped.read();
  const before = await stopped.ended;
  expect(closes(before)).toBe(false);
  const last = numbered(before).at(-1);
  const resumed = await one.person.stream(resumeStream, one.message, { "last-event-id": String(last) });
  one.run.end();
  const after = await resumed.ended;
  expect(numbered(after)[0]).toBe((last ?? 0) + 1);
  const whole = fold(await one.healthy.ended).message;
  expect(fold([...before, ...after.slice(1)]).message).toEqual(whole);
}, 60_000);
