import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ReplyState, emptyReply } from "./reply-state.ts";
import { snapshotDelta, type ReceivedEvent } from "./stream-event.ts";
import { anyReply } from "./arbitrary-reply.fixture.ts";
import { ProtocolError } from "./protocol-error.ts";
import { RECORDED_FRAMES, RECORDED_MESSAGE } from "./recorded-reply.fixture.ts";
import { reduceReply, startResponse, storedReply } from "./reply-reducer.ts";
import { createDecoder } from "./event-stream-decoder.ts";
import { createEncoder } from "./event-stream-encoder.ts";

function fold(events: readonly ReceivedEvent[], from: ReplyState = emptyReply()): ReplyState {
  return events.reduce(reduceReply, from);
}

/** Through the wire and back, as one response body. */
function throughWire(events: readonly ReceivedEvent[]): ReceivedEvent[] {
  const encoder = createEncoder();
  const received: ReceivedEvent[] = [];
  const decoder = createDecoder({
    onEvent: (event) => received.push(event),
    onBad: (frame) => expect.unreachable(JSON.stringify(frame)),
  });
  for (const { id, ...event } of events) decoder.push(encoder.encode(event, id));
  decoder.end();
  return received;
}

/** What two folds must agree on; the reader belongs to one response body. */
function known({ reader: _reader, ...rest }: ReplyState): Omit<ReplyState, "reader"> {
  return rest;
}

const READY_AGAIN: ReceivedEvent = {
  type: "ready",
  id: null,
  data: { request_message_id: 1, response_message_id: 2, model_type: "default" },
};

function decodeRecorded(): ReceivedEvent[] {
  const events: ReceivedEvent[] = [];
  const decoder = createDecoder({
    onEvent: (event) => events.push(event),
    onBad: () => expect.unreachable(),
  });
  decoder.push(RECORDED_FRAMES.join(""));
  return events;
}

describe("one reply", () => {
  it("[STRM-004] [STRM-005] [STRM-006] [STRM-007] [STRM-010] the recorded one folds to its stored message", () => {
    expect(known(fold(decodeRecorded()))).toEqual({
      message: RECORDED_MESSAGE,
      requestMessageId: 7,
      responseMessageId: 8,
      lastEventId: 15,
      finished: true,
      closed: { click_behavior: "none" },
      hint: null,
      toasts: [],
      title: "What a plumb line is for",
      updatedAt: 1791234570.5,
      quota: { quota: 50, used: 9, reset_at: 1791302400 },
    });
  });

  it("[STRM-005] after each of its events a random one is the message recorded with it", () => {
    fc.assert(
      fc.property(anyReply, ({ events, messages }) => {
        let state = emptyReply();
        events.forEach((event, at) => {
          state = reduceReply(state, event);
          expect(state.message).toEqual(messages[at]);
          expect(state.lastEventId).toBe(event.id);
        });
        expect(state.closed).not.toBeNull();
      }),
    );
  });

  it("[STRM-005] without a fragment in its snapshot has one after P and N, and none after an end before any text", () => {
    const begun = decodeRecorded().slice(0, 2);
    const empty = { ...RECORDED_MESSAGE, status: "WIP" as const, fragments: [], has_pending_fragment: true };
    const delta = (id: number, p: string, o: "SET" | "APPEND" | "BATCH", v: unknown): ReceivedEvent => ({
      id,
      type: "delta",
      data: { p, o, v },
    });
    const first = { id: 2, type: "RESPONSE", content: "Fo" };
    const s0 = fold([...begun, { id: 3, type: "delta", data: snapshotDelta(empty) }]);
    expect(s0.message).toEqual(empty);
    const written = fold(
      throughWire([
        delta(4, "response/has_pending_fragment", "SET", false),
        delta(5, "response/fragments", "APPEND", [first]),
        delta(6, "response/fragments/-1/content", "APPEND", "ur."),
      ]),
      startResponse(s0),
    );
    expect(written.message).toEqual({
      ...empty,
      has_pending_fragment: false,
      fragments: [{ ...first, content: "Four." }],
    });
    const stopped = fold(
      throughWire([
        delta(4, "response", "BATCH", [
          { p: "accumulated_token_usage", v: 3 },
          { p: "quasi_status", v: "INCOMPLETE" },
          { p: "has_pending_fragment", v: false },
        ]),
        delta(5, "response/status", "SET", "INCOMPLETE"),
      ]),
      startResponse(s0),
    );
    expect(stopped.message).toEqual({
      ...empty,
      status: "INCOMPLETE",
      accumulated_token_usage: 3,
      has_pending_fragment: false,
    });
  });

  it("any prefix of its events, folded twice, changes nothing", () => {
    fc.assert(
      fc.property(anyReply, fc.nat(), fc.boolean(), ({ events }, length, newBody) => {
        const prefix = events.slice(0, length % (events.length + 1));
        const once = fold(prefix);
        expect(known(fold(prefix, newBody ? startResponse(once) : once))).toEqual(known(once));
        const short = throughWire(prefix);
        expect(known(fold(short, newBody ? startResponse(once) : once))).toEqual(known(once));
      }),
    );
  });
});

describe("resume", () => {
  it("by a snapshot at any place, after any part read before, ends like the whole", () => {
    fc.assert(
      fc.property(anyReply, fc.nat(), fc.nat(), ({ events, messages }, a, b) => {
        // Not after close: an ended reply is answered as JSON instead.
        const taken = a % (events.length - 1);
        const read = b % (taken + 1);
        const message = messages[taken];
        fc.pre(message !== null && message !== undefined);
        const body: ReceivedEvent[] = [
          READY_AGAIN,
          { type: "delta", id: taken + 1, data: snapshotDelta(message) },
          ...events.slice(taken + 1),
        ];
        const whole = fold(events);
        const resumed = fold(throughWire(body), startResponse(fold(events.slice(0, read))));
        expect(resumed.message).toEqual(whole.message);
        expect(resumed.closed).toEqual(whole.closed);
        expect(resumed.lastEventId).toBe(whole.lastEventId);
      }),
    );
  });

  it("by Last-Event-ID at any place ends like the whole, with events sent again or not", () => {
    fc.assert(
      fc.property(anyReply, fc.nat(), fc.nat({ max: 3 }), ({ events }, a, again) => {
        const read = a % (events.length + 1);
        const body = throughWire([READY_AGAIN, ...events.slice(Math.max(read - again, 0))]);
        const resumed = fold(body, startResponse(fold(events.slice(0, read))));
        expect(known(resumed)).toEqual(known(fold(events)));
      }),
    );
  });

  it("from a stored message goes on with the later events", () => {
    fc.assert(
      fc.property(anyReply, fc.nat(), ({ events, messages }, a) => {
        const at = a % events.length;
        const message = messages[at];
        fc.pre(message !== null && message !== undefined);
        const resumed = fold(events.slice(at + 1), storedReply(message, at + 1));
        expect(resumed.message).toEqual(fold(events).message);
        expect(resumed.responseMessageId).toBe(2);
      }),
    );
  });

  it("takes an older snapshot, as after a server lost its last commits, and what follows it", () => {
    const events = decodeRecorded();
    const far = fold(events.slice(0, 9));
    const older = fold(events.slice(0, 5)).message;
    expect(older).not.toBeNull();
    if (older === null) return;
    const back = reduceReply(startResponse(far), { type: "delta", id: 5, data: snapshotDelta(older) });
    expect(back.lastEventId).toBe(5);
    expect(fold(events.slice(5), back).message).toEqual(RECORDED_MESSAGE);
  });

  it("deltas of a new body owe nothing to the body before", () => {
    const state = fold(decodeRecorded().slice(0, 9));
    const short: ReceivedEvent = { type: "delta", id: 10, data: { v: "more" } };
    expect(reduceReply(state, short).message?.fragments.at(-1)).toMatchObject({
      content: "It shows what is upright 📏.more",
    });
    expect(() => reduceReply(startResponse(state), short)).toThrow(ProtocolError);
  });
});

describe("notices and ends", () => {
  const running = (): ReplyState => fold(decodeRecorded().slice(0, 9));

  it("[ENG-053] finish turns a WIP message FINISHED and leaves another end status alone", () => {
    const finish: ReceivedEvent = { type: "finish", id: 20, data: {} };
    expect(reduceReply(running(), finish)).toMatchObject({ finished: true, message: { status: "FINISHED" } });
    const stopped = reduceReply(running(), {
      type: "delta",
      id: 10,
      data: { p: "response/status", o: "SET", v: "INCOMPLETE" },
    });
    expect(reduceReply(stopped, finish).message?.status).toBe("INCOMPLETE");
  });

  it("[STRM-009] a hint with clear_response drops the message, another keeps it", () => {
    const data = { type: "error", content: "no", click_behavior: "retry", finish_reason: "timeout" } as const;
    const kept = reduceReply(running(), { type: "hint", id: 10, data: { ...data, clear_response: false } });
    expect(kept.message).not.toBeNull();
    expect(kept.hint).toEqual({ ...data, clear_response: false });
    const cleared = reduceReply(running(), { type: "hint", id: 10, data: { ...data, clear_response: true } });
    expect(cleared.message).toBeNull();
  });

  it("[STRM-008] toasts come in order, once each", () => {
    const toast = (id: number): ReceivedEvent => ({
      type: "toast",
      id,
      data: { type: "warning", content: `t${id}` },
    });
    const state = fold([toast(10), toast(11), toast(10), toast(11)], running());
    expect(state.toasts.map(({ data }) => data.content)).toEqual(["t10", "t11"]);
  });

  it("[STRM-008] a toast drops the message only when it says so", () => {
    const data = { type: "error", content: "no" } as const;
    expect(reduceReply(running(), { type: "toast", id: 10, data }).message).not.toBeNull();
    const cleared = reduceReply(running(), {
      type: "toast",
      id: 10,
      data: { ...data, clear_response: true },
    });
    expect(cleared.message).toBeNull();
  });

  it("quasi_status never stays in the message, whoever brings it", () => {
    const set = reduceReply(running(), {
      type: "delta",
      id: 10,
      data: { p: "response/quasi_status", o: "SET", v: "TIMEOUT" },
    });
    expect(set.message).not.toHaveProperty("quasi_status");
    const snapshot = { ...RECORDED_MESSAGE, quasi_status: "FINISHED" };
    const replaced = reduceReply(emptyReply(), { type: "delta", id: 3, data: snapshotDelta(snapshot) });
    expect(replaced.message).toEqual(RECORDED_MESSAGE);
  });

  it("a continue begins a new run of the same message and counts on", () => {
    const ended = fold(
      [
        { type: "delta", id: 10, data: { p: "response/status", o: "SET", v: "INCOMPLETE" } },
        { type: "toast", id: 11, data: { type: "warning", content: "t" } },
        { type: "close", id: 12, data: { click_behavior: "retry", auto_resume: false } },
      ],
      running(),
    );
    const again = fold(
      [
        { type: "ready", id: 13, data: { request_message_id: 7, response_message_id: 8 } },
        { type: "delta", id: 14, data: { v: { response: { ...ended.message, status: "WIP" } } } },
      ],
      startResponse(ended),
    );
    expect(again).toMatchObject({ closed: null, toasts: [], lastEventId: 14, message: { status: "WIP" } });
  });

  it("an event type of a later version changes nothing", () => {
    const state = running();
    expect(reduceReply(state, { type: "sparkle", id: 10, data: {} } as unknown as ReceivedEvent)).toBe(state);
  });

  it("a delta that cannot be applied throws and leaves the state as it was", () => {
    const state = running();
    const before = structuredClone(state);
    expect(() =>
      reduceReply(state, {
        type: "delta",
        id: 10,
        data: { p: "response/fragments/7/content", o: "APPEND", v: "x" },
      }),
    ).toThrow(ProtocolError);
    expect(state).toEqual(before);
  });
});
