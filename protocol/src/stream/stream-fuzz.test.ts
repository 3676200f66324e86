// Streams that were damaged on the way, or made to do harm: read without a crash, what was whole before the damage as it
// was. fast-check prints the seed of a failure.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { anyReply } from "./arbitrary-reply.fixture.ts";
import { createByteDecoder, type BadFrame } from "./event-stream-decoder.ts";
import { createEncoder } from "./event-stream-encoder.ts";
import { ProtocolError } from "./protocol-error.ts";
import { readStreamEvent } from "./read-stream-event.ts";
import { reduceReply } from "./reply-reducer.ts";
import { type ReplyState, emptyReply } from "./reply-state.ts";
import type { ReceivedEvent } from "./stream-event.ts";

const numRuns = process.env["TEST_LONG"] === "1" ? 200_000 : 10_000;

type Damage =
  | { kind: "flip"; at: number; bit: number }
  | { kind: "remove"; at: number; count: number }
  | { kind: "insert"; at: number; bytes: Uint8Array }
  | { kind: "repeat"; at: number; count: number }
  | { kind: "cut"; at: number };

const place = fc.double({ min: 0, max: 1, noNaN: true });
const hostile = [
  "\n\n",
  "\r",
  "data: ",
  "id: 9007199254740993\n",
  "id: -1\n",
  "event: close\n",
  "event: __proto__\n",
  ": \n\n",
  "{",
  '"',
  "\\ud800",
  "\0",
  "\ufeff",
  'data: {"p":"response/__proto__/x","o":"SET","v":1}\n\n',
  'data: {"p":"response/fragments/-1","o":"APPEND","v":[]}\n\n',
  'data: {"v":{"response":{"fragments":[]}}}\n\n',
  `data: ${"[".repeat(3000)}\n\n`,
].map((text) => new TextEncoder().encode(text));
const anyDamage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ kind: fc.constant("flip" as const), at: place, bit: fc.nat({ max: 7 }) }),
  fc.record({ kind: fc.constant("remove" as const), at: place, count: fc.nat({ max: 200 }) }),
  fc.record({
    kind: fc.constant("insert" as const),
    at: place,
    bytes: fc.oneof(fc.uint8Array({ maxLength: 20 }), fc.constantFrom(...hostile)),
  }),
  fc.record({ kind: fc.constant("repeat" as const), at: place, count: fc.nat({ max: 300 }) }),
  fc.record({ kind: fc.constant("cut" as const), at: place }),
);

/** The damaged bytes, and where they begin to differ at the earliest. */
function damaged(bytes: Uint8Array, damages: readonly Damage[]): { bytes: Uint8Array; from: number } {
  let from = bytes.length;
  for (const damage of damages) {
    const at = Math.floor(damage.at * bytes.length);
    from = Math.min(from, at);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    if (damage.kind === "flip") {
      bytes = Uint8Array.from(bytes);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << damage.bit);
    } else if (damage.kind === "remove") bytes = joined(before, after.subarray(damage.count));
    else if (damage.kind === "insert") bytes = joined(before, damage.bytes, after);
    else if (damage.kind === "repeat") bytes = joined(before, after.subarray(0, damage.count), after);
    else bytes = Uint8Array.from(before);
  }
  return { bytes, from };
}

function joined(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function decoded(bytes: Uint8Array, pieceBytes: number): { events: ReceivedEvent[]; bad: BadFrame[] } {
  const events: ReceivedEvent[] = [];
  const bad: BadFrame[] = [];
  const decoder = createByteDecoder({
    onEvent: (event) => events.push(event),
    onBad: (frame) => bad.push(frame),
  });
  for (let at = 0; at < bytes.length; at += pieceBytes) decoder.push(bytes.subarray(at, at + pieceBytes));
  decoder.end();
  return { events, bad };
}

function encoded(events: readonly (ReceivedEvent & { id: number })[]): { bytes: Uint8Array; ends: number[] } {
  const encoder = createEncoder();
  const text = new TextEncoder();
  const frames = events.map((event) => text.encode(encoder.encode(event, event.id)));
  let end = 0;
  return { bytes: joined(...frames), ends: frames.map((frame) => (end += frame.length)) };
}

/** What the screen and the store rely on, whatever came. */
function expectSound({ message, lastEventId }: ReplyState): void {
  expect(Number.isSafeInteger(lastEventId) && lastEventId >= 0).toBe(true);
  if (message === null) return;
  expect(Number.isSafeInteger(message.message_id)).toBe(true);
  expect(typeof message.status).toBe("string");
  expect(Array.isArray(message.fragments)).toBe(true);
  for (const { id, type } of message.fragments) {
    expect(Number.isSafeInteger(id) && typeof type === "string").toBe(true);
  }
  expect(Object.hasOwn(message, "quasi_status")).toBe(false);
}

/** Folds as a client does, which skips what cannot be applied. */
function folded(state: ReplyState, events: readonly ReceivedEvent[]): ReplyState {
  for (const event of events) {
    const before = JSON.stringify(state);
    try {
      state = reduceReply(state, event);
    } catch (error) {
      expect(error).toBeInstanceOf(ProtocolError);
      expect(JSON.stringify(state)).toBe(before);
    }
  }
  return state;
}

it("a damaged stream is decoded without a crash, and whole up to its damage", { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(
      anyReply,
      fc.array(anyDamage, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 400 }),
      ({ events: sent }, damages, pieceBytes) => {
        const { bytes, ends } = encoded(sent);
        const { bytes: arrived, from } = damaged(bytes, damages);
        const { events, bad } = decoded(arrived, pieceBytes);
        const whole = ends.filter((end) => end <= from).length;
        expect(events.slice(0, whole)).toEqual(decoded(bytes, bytes.length).events.slice(0, whole));
        for (const { id, ...event } of events) {
          expect(id === null || (Number.isSafeInteger(id) && id > 0)).toBe(true);
          const name = event.type === "delta" ? null : event.type;
          expect(readStreamEvent(name, JSON.stringify(event.data))).toMatchObject({ type: event.type });
        }
        for (const { reason } of bad) expect(["json", "schema", "id", "too_large"]).toContain(reason);
        expectSound(folded(emptyReply(), events));
      },
    ),
    { numRuns },
  );
});

const segment = fc.constantFrom(
  "response",
  "fragments",
  "content",
  "status",
  "quasi_status",
  "results",
  "message_id",
  "0",
  "-1",
  "1",
  "99",
  "",
  "__proto__",
  "constructor",
  "toString",
);
const anyDelta = fc.record(
  {
    p: fc.oneof(
      fc.array(segment, { maxLength: 5 }).map((segments) => segments.join("/")),
      fc.string({ maxLength: 12 }),
    ),
    o: fc.constantFrom("SET" as const, "APPEND" as const, "BATCH" as const),
    v: fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom<unknown[]>(
        [{ p: "status", v: "WIP" }],
        [{ p: "fragments", o: "APPEND", v: [{ id: 9, type: "TIP" }] }],
        [[]],
        { response: { message_id: 1, parent_id: null, role: "USER", status: "WIP", fragments: [] } },
        { response: null },
        "text",
      ),
    ),
  },
  { requiredKeys: ["v"] },
);
const anyId = fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 60 }), fc.maxSafeNat());

it(
  "hostile deltas between those of a reply are folded or refused, and harm nothing",
  { timeout: 600_000 },
  () => {
    fc.assert(
      fc.property(
        anyReply,
        fc.array(fc.tuple(place, anyDelta, anyId), { minLength: 1, maxLength: 5 }),
        ({ events: sent }, strangers) => {
          const events: ReceivedEvent[] = [...sent];
          for (const [at, data, id] of strangers) {
            events.splice(Math.floor(at * events.length), 0, { type: "delta", id, data } as ReceivedEvent);
          }
          const before = JSON.stringify(events);
          expectSound(folded(emptyReply(), events));
          expect(JSON.stringify(events)).toBe(before);
          expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
          expect(Object.keys(Object.prototype)).toEqual([]);
        },
      ),
      { numRuns },
    );
  },
);
