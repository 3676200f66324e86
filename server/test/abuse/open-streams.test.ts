// One user who opens streams without end: each reply keeps a few, the user some more, and the oldest end so as to resume.
import { LIMITS } from "@plumb/protocol/limits";
import { resumeStream } from "@plumb/protocol/wire/replies";
import { createSession } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { afterEach, expect, it, vi } from "vitest";
import * as encoder from "@plumb/protocol/stream/event-stream-encoder";
import * as sseResponse from "../../src/platform/http/sse-response.ts";
import { createTestApp, type TestApp } from "../create-test-app.ts";
import type { EventStreamReader } from "../event-stream-reader.ts";
import { openRaw, postHead } from "../raw-http.ts";
import type { ScriptedRun } from "../scripted-model.ts";
import type { TestClient } from "../test-client.ts";

vi.mock("@plumb/protocol/stream/event-stream-encoder", { spy: true });
vi.mock("../../src/platform/http/sse-response.ts", { spy: true });

const REPEATS = process.env["TEST_LONG"] === "1" ? 2000 : 40;

let app: TestApp;
afterEach(() => app.close());

interface Running {
  run: ScriptedRun;
  first: EventStreamReader;
  input: { chat_session_id: string; prompt: string; client_stream_id: string };
}

async function begin(person: TestClient): Promise<Running> {
  const { id } = await person.ok(createSession, {});
  const next = app.model.next();
  const input = { chat_session_id: id, prompt: "Go", client_stream_id: "20260101-0123456789abcdef" };
  const first = await person.stream(completion, input);
  const run = await next;
  run.say("One ");
  await first.waitForType("delta");
  return { run, first, input };
}

const closes = (stream: EventStreamReader) => stream.events.some((event) => event.type === "close");

it(`${REPEATS} repeats of a running reply leave eight streams open, and the others can resume`, async () => {
  app = await createTestApp();
  const person = await app.signedIn();
  const other = await begin(await app.signedIn());
  const { run, first, input } = await begin(person);
  const streams: EventStreamReader[] = [first];
  for (let index = 0; index < REPEATS; index += 1) {
    const stream = await person.stream(completion, input, {});
    await stream.waitForType("delta");
    streams.push(stream);
    const before = streams.at(-1 - LIMITS.openStreamsPerReply);
    if (before === undefined) continue;
    await before.ended;
    expect(closes(before)).toBe(false);
    expect(before.events[0]).toMatchObject({ type: "ready" });
  }
  run.say("two");
  run.end();
  const open = streams.slice(-LIMITS.openStreamsPerReply);
  for (const stream of open) {
    await stream.ended;
    expect(closes(stream)).toBe(true);
  }
  expect(app.model.replies).toHaveLength(2);
  // Nobody else lost a stream.
  other.run.end();
  await other.first.ended;
  expect(closes(other.first)).toBe(true);
});

it("all replies of a user share twenty streams, the oldest of all ends first", async () => {
  app = await createTestApp({ settings: { CONCURRENT_REPLIES: "4" } });
  const person = await app.signedIn();
  const running: Running[] = [];
  for (let index = 0; index < 4; index += 1) running.push(await begin(person));
  const streams: EventStreamReader[] = running.map(({ first }) => first);
  const resume = async ({ input }: Running) => {
    const stream = await person.stream(resumeStream, {
      chat_session_id: input.chat_session_id,
      message_id: 2,
    });
    await stream.waitForType("delta");
    streams.push(stream);
  };
  for (let round = 0; round < 4; round += 1) for (const one of running) await resume(one);
  expect(streams).toHaveLength(LIMITS.openStreams);
  const [oldest] = running;
  if (oldest === undefined) throw new Error("no reply runs");
  await resume(oldest);
  await streams[0]?.ended;
  for (const { run } of running) run.end();
  await Promise.all(streams.map((stream) => stream.ended));
  expect(streams.map(closes)).toEqual([false, ...streams.slice(1).map(() => true)]);
});

it("streams over the limit are closed although their readers take nothing", async () => {
  app = await createTestApp();
  const person = await app.signedIn();
  const { run, first, input } = await begin(person);
  // More than the system takes on a reader's behalf.
  const piece = "many words ".repeat(50_000);
  for (let index = 0; index < 40; index += 1) run.say(piece);
  run.say("said");
  await first.waitFor(({ data }) => JSON.stringify(data).includes("said"));
  const created = vi.mocked(sseResponse.createSseResponse);
  created.mockClear();
  const body = JSON.stringify(input);
  const head = postHead(completion.path, Buffer.byteLength(body), `authorization: Bearer ${person.token}`);
  const sockets = [];
  const streamAt = (index: number) => created.mock.results[index]?.value as sseResponse.SseResponse;
  for (let index = 0; index < LIMITS.openStreamsPerReply + 2; index += 1) {
    const { socket, send } = await openRaw(app.address);
    sockets.push(socket);
    socket.pause();
    send(head + body);
    await vi.waitFor(() => expect(streamAt(index)?.buffered).toBeGreaterThan(0), { timeout: 10_000 });
  }
  await vi.waitFor(() => expect([streamAt(0).closed, streamAt(1).closed]).toEqual([true, true]), {
    timeout: 10_000,
  });
  expect(created.mock.results.slice(2).map((_one, index) => streamAt(index + 2).closed)).not.toContain(true);
  await first.ended;
  expect(closes(first)).toBe(false);
  for (const socket of sockets) socket.destroy();
  run.end();
}, 60_000);

it("an event is encoded once for all who read it live", async () => {
  app = await createTestApp();
  const person = await app.signedIn();
  const { run, first, input } = await begin(person);
  const streams = [first];
  while (streams.length < LIMITS.openStreamsPerReply) {
    streams.push(await person.stream(completion, input));
    await streams.at(-1)?.waitForType("delta");
  }
  // From here on all have sent an APPEND.
  run.say("two ");
  const says = (words: string) => (event: { type: string; data: unknown }) =>
    event.type === "delta" && (event.data as { v: unknown }).v === words;
  await Promise.all(streams.map((stream) => stream.waitFor(says("two "))));
  const encode = vi.mocked(encoder.encodeEvents);
  encode.mockClear();
  run.say("three");
  await Promise.all(streams.map((stream) => stream.waitFor(says("three"))));
  expect(encode).toHaveBeenCalledTimes(1);
  run.end();
  await Promise.all(streams.map((stream) => stream.ended));
});
