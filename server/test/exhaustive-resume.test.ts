// A long reply resumed from every one of its events, while it is written and after its end: the bytes that come are those
// that the first reader got from there on, none missing and none twice (wire-contract.md §4.2, §11.6). Several processes:
// e2e/faults/replicas.test.ts.
import { createSession } from "@plumb/protocol/wire/sessions";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answered, exchange } from "./conformance/http-exchange.ts";
import type { LiveStream } from "./conformance/live-stream.ts";
import { createTestApp, type TestApp } from "./create-test-app.ts";
import { withoutTraceId } from "./expect-envelope.ts";
import { framesAfter, framesOf } from "./stream-frames.ts";
import type { ScriptedRun } from "./scripted-model.ts";
import type { TestClient } from "./test-client.ts";
import { engines } from "./test-databases.ts";

const long = process.env["TEST_LONG"] === "1";
/** With the events before the text and after it. */
const eventsInAll = 2000;
/** Before the text: ready, update_session and the snapshot. After it: two of the end, finish, update_session, title, close. */
const pieces = eventsInAll - 3 - 6 + 1;
/** A user may keep eight streams of one reply open; the first reader's is one of them. */
const atOnce = 7;

describe.each(engines)("a reply of 2,000 events on %s", (engine) => {
  // PostgreSQL shares all but the queries: every tenth position there, unless there is time.
  const step = engine === "sqlite" || long ? 1 : 10;
  let app: TestApp;
  let person: TestClient;
  let session: string;
  let run: ScriptedRun;
  let first: LiveStream;
  let written = 0;

  beforeAll(async () => {
    app = await createTestApp({ engine, settings: { LOG_FLUSH_MS: "1" } });
    person = await app.signedIn();
    session = (await person.ok(createSession, {})).id;
    const next = app.model.next();
    first = streamOf(await post("completion", { chat_session_id: session, prompt: "Count" }, await proof()));
    run = await next;
  });
  afterAll(() => app.close());

  const post = (name: string, body: object, headers: Record<string, string> = {}): Promise<Answered> =>
    exchange(app.address, {
      method: "POST",
      path: `/api/v0/chat/${name}`,
      headers: { authorization: `Bearer ${person.token}`, ...headers },
      body: JSON.stringify(body),
    });
  const proof = () => person.proofFor({ path: "/api/v0/chat/completion", proof: "user:completion_like" });
  const resume = (position: number): Promise<Answered> =>
    post(
      "resume_stream",
      { chat_session_id: session, message_id: 2 },
      position === 0 ? {} : { "last-event-id": String(position) },
    );
  function streamOf({ stream, text }: Answered): LiveStream {
    if (stream === null) throw new Error(`no stream but ${text}`);
    return stream;
  }
  const lastId = (stream: LiveStream): number => stream.events.at(-1)?.id ?? 0;

  /** Goes on writing, each piece an event of its own: the next comes once the first reader has the one before. */
  async function write(until: number): Promise<void> {
    for (; written < until; written += 1) {
      run.say(`${written} 数 `);
      const due = written + 3;
      await first.until(() => lastId(first) >= due);
    }
  }

  function expectRest(stream: LiveStream, position: number, frames: Map<number, string>): void {
    const [ready = "", ...rest] = stream.text.split(/(?<=\n\n)/).filter((frame) => !frame.startsWith(":"));
    expect(ready).toMatch(/^event: ready\ndata: \{"request_message_id":1,"response_message_id":2,/);
    const got = rest.join("");
    const expected = framesAfter(position, frames, lastId(stream));
    // Not toEqual: a difference of 100 KB takes minutes to print.
    expect(got === expected, `after ${position}: ${firstDifference(got, expected)}`).toBe(true);
  }

  it(
    "is given whole to seven readers at once who came at different times, to the end",
    { timeout: 300_000 },
    async () => {
      const readers: { stream: LiveStream; from: number }[] = [];
      for (let index = 1; index <= atOnce; index += 1) {
        await write(Math.floor((pieces * index) / (atOnce + 1)));
        const from = Math.floor((lastId(first) * index) / (atOnce + 1));
        readers.push({ stream: streamOf(await resume(from)), from });
      }
      await write(pieces);
      const last = lastId(first);
      await Promise.all(readers.map(({ stream }) => stream.until(() => lastId(stream) === last)));
      const frames = framesOf(first.text);
      expect(last).toBe(pieces + 2);
      for (const { stream, from } of readers) {
        expectRest(stream, from, frames);
        stream.cut();
      }
    },
  );

  it("is resumed from every position while it is written", { timeout: 600_000 }, async () => {
    const last = lastId(first);
    const frames = framesOf(first.text);
    const positions = Array.from({ length: Math.ceil(last / step) }, (_, index) => index * step + 1);
    const one = async (): Promise<void> => {
      for (let position = positions.shift(); position !== undefined; position = positions.shift()) {
        const stream = streamOf(await resume(position));
        if (position < last) await stream.until(() => lastId(stream) === last);
        else await stream.until((events) => events.length === 1);
        expectRest(stream, position, frames);
        stream.cut();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    expect(positions).toEqual([]);
  });

  it("is followed to its close by seven readers at once", async () => {
    const from = [1, 2, 3, 500, 1000, lastId(first) - 1, lastId(first)];
    const readers = await Promise.all(from.map(async (position) => streamOf(await resume(position))));
    run.end();
    await Promise.all([first, ...readers].map((stream) => stream.ended()));
    expect(lastId(first)).toBe(eventsInAll);
    expect(first.events.map(({ id }) => id)).toEqual(first.events.map((_event, index) => index + 1));
    const frames = framesOf(first.text);
    readers.forEach((stream, index) => {
      expect(lastId(stream)).toBe(eventsInAll);
      expectRest(stream, from[index] ?? 0, frames);
    });
    const { fragments, status } = first.message();
    expect(status).toBe("FINISHED");
    expect(fragments[0]?.content).toBe(Array.from({ length: pieces }, (_, index) => `${index} 数 `).join(""));
  });

  it(
    "is answered whole, with the same bytes, from every position after its end",
    { timeout: 600_000 },
    async () => {
      const whole = await resume(0);
      expect(JSON.parse(whole.text)).toMatchObject({
        data: { biz_code: 22, biz_data: { message: JSON.parse(JSON.stringify(first.message())) } },
      });
      const expected = withoutTraceId(whole.text);
      for (let position = 1; position <= eventsInAll; position += step) {
        const { text } = await resume(position);
        expect(withoutTraceId(text) === expected, `after ${position}: ${text.slice(0, 300)}`).toBe(true);
      }
    },
  );
});

function firstDifference(got: string, expected: string): string {
  let at = 0;
  while (at < got.length && got[at] === expected[at]) at += 1;
  return `${JSON.stringify(got.slice(at - 60, at + 100))} where ${JSON.stringify(expected.slice(at - 60, at + 100))} was due`;
}
