import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../limits.ts";
import { anyReply } from "./arbitrary-reply.fixture.ts";
import { type BadFrame, createByteDecoder, createDecoder } from "./event-stream-decoder.ts";
import { createEncoder, KEEP_ALIVE } from "./event-stream-encoder.ts";
import { RECORDED_FRAMES } from "./recorded-reply.fixture.ts";
import type { NumberedEvent, ReceivedEvent } from "./stream-event.ts";

interface Decoded {
  events: ReceivedEvent[];
  bad: BadFrame[];
  comments: string[];
}

function decode(pieces: Iterable<string>): Decoded {
  const decoded: Decoded = { events: [], bad: [], comments: [] };
  const decoder = createDecoder({
    onEvent: (event) => decoded.events.push(event),
    onBad: (frame) => decoded.bad.push(frame),
    onComment: (text) => decoded.comments.push(text),
  });
  for (const piece of pieces) decoder.push(piece);
  decoder.end();
  return decoded;
}

function decodeBytes(pieces: Iterable<Uint8Array>): Decoded {
  const decoded: Decoded = { events: [], bad: [], comments: [] };
  const decoder = createByteDecoder({
    onEvent: (event) => decoded.events.push(event),
    onBad: (frame) => decoded.bad.push(frame),
    onComment: (text) => decoded.comments.push(text),
  });
  for (const piece of pieces) decoder.push(piece);
  decoder.end();
  return decoded;
}

/** The pieces of `whole` between the cuts, which are taken modulo its length. */
function cut<T extends { length: number; slice(from: number, to: number): T }>(
  whole: T,
  cuts: readonly number[],
): T[] {
  const at = [0, ...cuts.map((place) => place % (whole.length + 1)), whole.length].sort((a, b) => a - b);
  return at.slice(1).map((end, index) => whole.slice(at[index] ?? 0, end));
}

function encode(events: readonly NumberedEvent[]): string {
  const encoder = createEncoder();
  return events
    .map(({ id, ...event }) => encoder.encode(event, id) + (id % 5 === 0 ? KEEP_ALIVE : ""))
    .join("");
}

const CLOSE = 'event: close\ndata: {"click_behavior":"none","auto_resume":false}\n\n';

describe("a stream cut anywhere", () => {
  it("into two decodes equal, at every place, with any line end and a byte order mark", () => {
    for (const lineEnd of ["\n", "\r\n", "\r"]) {
      const text = `\uFEFF${RECORDED_FRAMES.slice(0, 5).join(KEEP_ALIVE)}`.replaceAll("\n", lineEnd);
      const whole = decode([text]);
      expect(whole.events).toHaveLength(5);
      expect(whole.bad).toEqual([]);
      for (let place = 0; place <= text.length; place++)
        expect(decode([text.slice(0, place), text.slice(place)])).toEqual(whole);
    }
  });

  it("into any pieces decodes equal", () => {
    fc.assert(
      fc.property(
        anyReply,
        fc.array(fc.nat()),
        fc.constantFrom("\n", "\r\n", "\r"),
        ({ events }, cuts, lineEnd) => {
          const text = encode(events).replaceAll("\n", lineEnd);
          const whole = decode([text]);
          expect(whole.events).toHaveLength(events.length);
          expect(whole.bad).toEqual([]);
          expect(decode(cut(text, cuts))).toEqual(whole);
        },
      ),
    );
  });

  it("into any bytes decodes equal, within characters too", () => {
    fc.assert(
      fc.property(anyReply, fc.array(fc.nat()), ({ events }, cuts) => {
        const text = encode(events);
        const bytes = new TextEncoder().encode(text);
        const whole = decode([text]);
        expect(decodeBytes(cut(bytes, cuts))).toEqual(whole);
        expect(decodeBytes(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });

  it("drops the frame it ended within", () => {
    expect(decode([CLOSE + CLOSE.slice(0, -1)]).events).toHaveLength(1);
  });

  it("ignores what is pushed after its end", () => {
    const events: ReceivedEvent[] = [];
    const decoder = createDecoder({
      onEvent: (event) => events.push(event),
      onBad: () => expect.unreachable(),
    });
    decoder.end();
    decoder.push(CLOSE);
    expect(events).toEqual([]);
  });

  it("strips one byte order mark only, and keeps white space at the ends of a text", () => {
    const marked = new TextEncoder().encode(`\uFEFFdata: {"v":" \uFEFF "}\n\n`);
    expect(decodeBytes([marked]).events).toEqual([{ type: "delta", id: null, data: { v: " \uFEFF " } }]);
  });

  it("takes a second byte order mark for part of the line", () => {
    const twice = new TextEncoder().encode(`\uFEFF\uFEFFdata: {"v":1}\n\n${CLOSE}`);
    expect(decodeBytes([twice]).events.map(({ type }) => type)).toEqual(["close"]);
  });

  it("replaces bytes that are no UTF-8", () => {
    const bytes = new TextEncoder().encode('data: {"v":"?"}\n\n').map((byte) => (byte === 63 ? 0xff : byte));
    expect(decodeBytes([bytes]).events).toEqual([{ type: "delta", id: null, data: { v: "\uFFFD" } }]);
  });
});

describe("frames", () => {
  it("[STRM-005] delta, message and no name are a delta; no id line is id null", () => {
    const text = 'event: delta\nid: 4\ndata: {"v":1}\n\nevent: message\ndata: {"v":2}\n\ndata:{"v":3}\n\n';
    expect(decode([text]).events).toEqual([
      { type: "delta", id: 4, data: { v: 1 } },
      { type: "delta", id: null, data: { v: 2 } },
      { type: "delta", id: null, data: { v: 3 } },
    ]);
  });

  it("comments are reported", () => {
    expect(decode([KEEP_ALIVE]).comments).toEqual(["keep-alive"]);
  });

  it.each([
    ": hello\n\n",
    "retry: x\n\n",
    "dta: {}\n\n",
    "__proto__: {}\n\n",
    "constructor\n\n",
    "data\nevent: x\n\n",
    "id: 5\n\n",
    "\n\n\n",
  ])("%j is passed over in silence", (text) => {
    const { events, bad } = decode([text, CLOSE]);
    expect(events).toHaveLength(1);
    expect(bad).toEqual([]);
  });

  it.each(["sparkle", "__proto__", "constructor", "toString", "hasOwnProperty", "READY", " ready ", "error"])(
    "[STRM-011] event name %j is ignored",
    (name) => {
      const { events, bad } = decode([`event: ${name}\ndata: not even JSON\n\n`, CLOSE]);
      expect(events.map(({ type }) => type)).toEqual(["close"]);
      expect(bad).toEqual([]);
    },
  );

  it.each(["x", "0", "-1", "1.5", "", "01", "9007199254740993", "99999999999999999999", "1e3"])(
    "[STRM-011] id %j is reported and skipped",
    (id) => {
      const { events, bad } = decode([`id: ${id}\ndata: {"v":1}\n\n`, CLOSE]);
      expect(events).toHaveLength(1);
      expect(bad).toEqual([{ reason: "id", event: null }]);
    },
  );
});

describe("sizes", () => {
  it("a line of 100 MB is refused without being kept, and nothing after it is read", () => {
    const { events, bad } = decode(hundredMegabytes('data: {"v":"', '"}\n\n'));
    expect(bad).toEqual([{ reason: "too_large", event: null }]);
    expect(events).toEqual([]);
  });

  it("so is an event of many lines", () => {
    const line = `data: ${"a".repeat(1 << 20)}\n`;
    const { events, bad } = decode([...Array.from({ length: 100 }, () => line), "\n", CLOSE]);
    expect(bad).toEqual([{ reason: "too_large", event: null }]);
    expect(events).toEqual([]);
  });

  it("a comment or an unknown field of 100 MB does no harm", () => {
    expect(decode(hundredMegabytes("nonsense", "\n\n", CLOSE)).events).toHaveLength(1);
  });

  it("a whole frame over the limit in one piece is skipped alone", () => {
    const { events, bad } = decode([`data: {"v":"${"a".repeat(LIMITS.streamFrameChars)}"}\n\n${CLOSE}`]);
    expect(bad).toEqual([{ reason: "too_large", event: null }]);
    expect(events.map(({ type }) => type)).toEqual(["close"]);
  });

  it("a snapshot of 8 MB is no trouble", () => {
    const v = "é".repeat(8 << 20);
    expect(decode(cut(`data: {"v":"${v}"}\n\n`, [1e6, 2e6, 5e6])).events).toEqual([
      { type: "delta", id: null, data: { v } },
    ]);
  });
});

function* hundredMegabytes(head: string, tail: string, after = CLOSE): Generator<string> {
  yield head;
  const piece = "a".repeat(1 << 20);
  for (let count = 0; count < 100; count++) yield piece;
  yield tail;
  yield after;
}
