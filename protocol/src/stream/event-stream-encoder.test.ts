import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyReply } from "./arbitrary-reply.fixture.ts";
import { createDecoder } from "./event-stream-decoder.ts";
import { createEncoder, KEEP_ALIVE } from "./event-stream-encoder.ts";
import { RECORDED_FRAMES, RECORDED_MESSAGE } from "./recorded-reply.fixture.ts";
import type { Delta, DeltaOp, ReceivedEvent } from "./stream-event.ts";

const TEXT = "response/fragments/-1/content";

/** The data lines of deltas sent one after another. */
function send(...deltas: Delta[]): unknown[] {
  const encoder = createEncoder();
  return deltas.map((data, at): unknown => {
    const frame = encoder.encode({ type: "delta", data }, at + 1);
    return JSON.parse(/^id: \d+\ndata: (.*)\n\n$/.exec(frame)?.[1] ?? "null");
  });
}

describe("frames", () => {
  it("[STRM-004] are id, event and data, each on its line, and an empty line", () => {
    const ready = { type: "ready", data: { request_message_id: 1, response_message_id: 2 } } as const;
    const data = '{"request_message_id":1,"response_message_id":2}';
    expect(createEncoder().encode(ready, 1)).toBe(`id: 1\nevent: ready\ndata: ${data}\n\n`);
    expect(createEncoder().encode(ready, null)).toBe(`event: ready\ndata: ${data}\n\n`);
  });

  it("[STRM-005] of a delta have no event line", () => {
    const frame = createEncoder().encode({ type: "delta", data: { p: TEXT, o: "APPEND", v: "a" } }, 7);
    expect(frame).toBe(`id: 7\ndata: {"p":"${TEXT}","o":"APPEND","v":"a"}\n\n`);
  });

  it("keep text on one line and in one piece, lone surrogates included", () => {
    const v = "a\nb\r\nc\u2028d\0 \u{1F4CF} \uD83D";
    const frame = createEncoder().encode({ type: "delta", data: { p: TEXT, o: "APPEND", v } }, 1);
    expect(frame.split(/[\r\n]/)).toHaveLength(4);
    expect(frame).toContain("\\ud83d");
    expect(JSON.parse(frame.split("data: ")[1] ?? "")).toMatchObject({ v });
  });

  it("give the recorded stream again", () => {
    const events: ReceivedEvent[] = [];
    const decoder = createDecoder({
      onEvent: (event) => events.push(event),
      onBad: () => expect.unreachable(),
    });
    decoder.push(RECORDED_FRAMES.join(""));
    const encoder = createEncoder();
    expect(events.map(({ id, ...event }) => encoder.encode(event, id))).toEqual(RECORDED_FRAMES);
  });
});

describe("path and op", () => {
  const root = { p: "", o: "SET", v: { response: RECORDED_MESSAGE } } as const;
  const append = (v: string): Delta => ({ p: TEXT, o: "APPEND", v });

  it("[STRM-012] [STRM-013] are left out of a first snapshot and of a repeated APPEND, and nowhere else", () => {
    const batch: Delta = { p: "response", o: "BATCH", v: [{ p: "status", v: "WIP" }] };
    const set: Delta = { p: "response/status", o: "SET", v: "WIP" };
    const other: Delta = { p: "response/fragments/0/content", o: "APPEND", v: "d" };
    expect(
      send(
        root,
        append("a"),
        append("b"),
        other,
        append("c"),
        append("d"),
        set,
        set,
        append("e"),
        batch,
        batch,
        append("f"),
        root,
      ),
    ).toEqual([
      { v: root.v },
      append("a"),
      { v: "b" },
      other,
      append("c"),
      { v: "d" },
      set,
      set,
      append("e"),
      batch,
      batch,
      append("f"),
      root,
    ]);
  });

  it("[STRM-012] are sent with the first delta of a body that goes on without a snapshot", () => {
    expect(send(append("a"), append("b"))).toEqual([append("a"), { v: "b" }]);
    const status: Delta = { p: "response/status", o: "SET", v: "WIP" };
    expect(send(status)).toEqual([status]);
  });

  it("[STRM-012] of short deltas are understood", () => {
    expect(send({ v: root.v }, append("a"), { v: "b" }, { o: "SET", v: "c" }, { v: "d" })).toEqual([
      { v: root.v },
      append("a"),
      { v: "b" },
      { p: TEXT, o: "SET", v: "c" },
      { p: TEXT, o: "SET", v: "d" },
    ]);
  });
});

it("decoding what was encoded gives every event again, keep-alives between them or not", () => {
  fc.assert(
    fc.property(anyReply, fc.array(fc.boolean()), fc.nat(), ({ events }, pauses, from) => {
      const sent = events.slice(from % events.length);
      const encoder = createEncoder();
      const received: ReceivedEvent[] = [];
      const decoder = createDecoder({
        onEvent: (event) => received.push(event),
        onBad: () => expect.unreachable(),
      });
      sent.forEach(({ id, ...event }, at) => {
        if (pauses[at]) decoder.push(KEEP_ALIVE);
        decoder.push(encoder.encode(event, id));
      });
      expect(spellOut(received)).toEqual(sent);
    }),
  );
});

/** Deltas with path and op as a reader of wire-contract.md §4.4 understands them. */
function spellOut(events: readonly ReceivedEvent[]): ReceivedEvent[] {
  let p = "";
  let o: DeltaOp = "SET";
  return events.map((event) => {
    if (event.type !== "delta") return event;
    p = event.data.p ?? p;
    o = event.data.o ?? o;
    return { ...event, data: { p, o, v: event.data.v } };
  });
}
