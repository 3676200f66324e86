import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../conversation/message.ts";
import { applyDelta } from "./delta.ts";
import { type DeltaReader, FRESH_READER } from "./reply-state.ts";
import { ProtocolError } from "./protocol-error.ts";
import type { Delta } from "./stream-event.ts";

function sample(): Message {
  return {
    message_id: 2,
    parent_id: 1,
    role: "ASSISTANT",
    status: "WIP",
    fragments: [
      { id: 2, type: "THINK", content: "hm", elapsed_secs: null },
      { id: 3, type: "SEARCH", status: "WIP", content: null, queries: [], results: [] },
      { id: 4, type: "RESPONSE", content: "Hi" },
    ],
    files: [],
    accumulated_token_usage: 0,
    thinking_enabled: false,
    search_enabled: false,
    ban_regenerate: false,
    ban_edit: false,
    has_pending_fragment: false,
    feedback: null,
    inserted_at: 1,
    client_stream_id: null,
    model: "",
    incomplete_message: null,
    auto_continue: false,
    conversation_mode: "DEFAULT",
  };
}

/** Applies deltas in order to the sample, starting with a fresh reader. */
function run(...deltas: Delta[]): { message: Message; reader: DeltaReader } {
  let state: { message: Message; reader: DeltaReader } = { message: sample(), reader: FRESH_READER };
  for (const delta of deltas) state = applyDelta(state.message, state.reader, delta);
  return state;
}

function contents(message: Message): unknown[] {
  return message.fragments.map((fragment) => fragment["content" as keyof typeof fragment]);
}

describe("the first delta", () => {
  it("[STRM-013] is a root SET without path and op", () => {
    const { message, reader } = applyDelta(null, FRESH_READER, { v: { response: sample() } });
    expect(message).toEqual(sample());
    expect(reader).toEqual({ p: "", o: "SET" });
  });

  it.each<[string, Delta]>([
    ["an APPEND", { p: "response/fragments/-1/content", o: "APPEND", v: "x" }],
    ["a SET below the root", { p: "response", o: "SET", v: sample() }],
    ["a BATCH", { p: "response", o: "BATCH", v: [] }],
    ["a BATCH with a root SET in it", { p: "", o: "BATCH", v: [{ v: { response: sample() } }] }],
    ["a SET without response", { v: {} }],
    ["a SET with an inherited response", { v: Object.create({ response: sample() }) as unknown }],
    ["a SET of null", { v: null }],
    ["a SET of a text", { v: "response" }],
    ["a SET of a list", { v: [{ response: sample() }] }],
    ["a response that is a list", { v: { response: [] } }],
    ["a response without fragments", { v: { response: { ...sample(), fragments: undefined } } }],
    ["a response with a text id", { v: { response: { ...sample(), message_id: "2" } } }],
    ["a response with a status that is no text", { v: { response: { ...sample(), status: 1 } } }],
    ["a fragment that is null", { v: { response: { ...sample(), fragments: [null] } } }],
    ["a fragment without type", { v: { response: { ...sample(), fragments: [{ id: 2 }] } } }],
  ])("[STRM-013] %s in its place is refused", (_name, delta) => {
    expect(() => applyDelta(null, FRESH_READER, delta)).toThrow(ProtocolError);
  });

  it("[STRM-013] replaces a message known before", () => {
    const other = { ...sample(), message_id: 9, fragments: [] };
    expect(run({ v: { response: other } }).message).toEqual(other);
  });
});

describe("paths and ops", () => {
  it("[STRM-012] a missing path or op takes the previous value, each for itself", () => {
    const path = "response/fragments/0/content";
    const { message, reader } = run(
      { p: path, o: "APPEND", v: "1" },
      { v: "2" },
      { p: "response/fragments/2/content", v: "3" },
      { o: "SET", v: "4" },
      { v: "5" },
      { p: path, v: "6" },
    );
    expect(contents(message)).toEqual(["6", null, "5"]);
    expect(reader).toEqual({ p: path, o: "SET" });
  });

  it("[STRM-014] SET replaces, APPEND adds to a text and pushes every item of a list", () => {
    const { message } = run(
      { p: "response/status", o: "SET", v: "INCOMPLETE" },
      {
        p: "response/fragments",
        o: "APPEND",
        v: [
          { id: 5, type: "RESPONSE", content: "a" },
          { id: 6, type: "TIP" },
        ],
      },
      { p: "response/fragments/3/content", o: "APPEND", v: "b" },
    );
    expect(message.status).toBe("INCOMPLETE");
    expect(message.fragments.slice(3)).toEqual([
      { id: 5, type: "RESPONSE", content: "ab" },
      { id: 6, type: "TIP" },
    ]);
  });

  it.each([
    ["-1", 2],
    ["-3", 0],
    ["0", 0],
    ["2", 2],
  ])("[STRM-016] fragment index %s means place %i", (index, place) => {
    const { message } = run({ p: `response/fragments/${index}/content`, o: "SET", v: "new" });
    expect(contents(message)[place]).toBe("new");
    expect(contents(message).filter((content) => content === "new")).toHaveLength(1);
  });

  it.each([
    "3",
    "-4",
    "1.5",
    "-0",
    "00",
    "01",
    "+1",
    "1e0",
    " 1",
    "99999999999999999999",
    "4294967296",
    "-",
    "NaN",
    "length",
    "map",
    "content",
  ])("[STRM-016] fragment index %s is refused", (index) => {
    expect(() => run({ p: `response/fragments/${index}/content`, o: "SET", v: "x" })).toThrow(ProtocolError);
    expect(() => run({ p: `response/fragments/${index}`, o: "SET", v: { id: 1, type: "X" } })).toThrow(
      ProtocolError,
    );
  });

  it("[STRM-016] other lists are not counted from the end", () => {
    const queries = { p: "response/fragments/1/queries", v: [{ query: "a", status: "WIP" }] };
    expect(() => run(queries, { p: "response/fragments/1/queries/-1/status", v: "FINISHED" })).toThrow(
      ProtocolError,
    );
    const { message } = run(queries, { p: "response/fragments/1/queries/0/status", v: "FINISHED" });
    expect(message.fragments[1]).toMatchObject({ queries: [{ query: "a", status: "FINISHED" }] });
  });

  it("stores keys it does not know", () => {
    const { message } = run({ p: "response/brand_new", v: { a: 1 } }, { p: "response/brand_new/b", v: [2] });
    expect(message).toEqual({ ...sample(), brand_new: { a: 1, b: [2] } });
  });

  it("[STRM-015] a BATCH joins the paths of its items to its own and reads them afresh", () => {
    const { message, reader } = run(
      { p: "response/fragments/0/content", o: "APPEND", v: "!" },
      {
        p: "response",
        o: "BATCH",
        v: [
          { p: "status", v: "TIMEOUT" },
          { v: "INCOMPLETE" },
          { p: "fragments/-1/content", o: "APPEND", v: "a" },
          { v: "b" },
          {
            p: "fragments/-1",
            o: "BATCH",
            v: [
              { p: "content", o: "APPEND", v: "c" },
              { p: "extra", o: "SET", v: 1 },
            ],
          },
          { p: "accumulated_token_usage", o: "SET", v: 7 },
        ],
      },
    );
    expect(message).toMatchObject({ status: "INCOMPLETE", accumulated_token_usage: 7 });
    expect(message.fragments[2]).toEqual({ id: 4, type: "RESPONSE", content: "Hiabc", extra: 1 });
    expect(reader).toEqual({ p: "response", o: "BATCH" });
  });

  it("[STRM-015] an item without a path means the batch's own", () => {
    const { message } = run({
      p: "response/fragments/-1",
      o: "BATCH",
      v: [{ v: { id: 9, type: "TEMPLATE_RESPONSE" } }],
    });
    expect(message.fragments[2]).toEqual({ id: 9, type: "TEMPLATE_RESPONSE" });
  });

  it("[STRM-015] after a BATCH the state is its path and op", () => {
    const { message } = run(
      { p: "response", o: "BATCH", v: [{ p: "status", v: "TIMEOUT" }] },
      { v: [{ p: "ban_edit", v: true }] },
    );
    expect(message).toMatchObject({ status: "TIMEOUT", ban_edit: true });
  });

  it.each<[string, unknown]>([
    ["no list", { p: "status", v: "X" }],
    ["an item that is no object", ["status"]],
    ["an item without a value", [{ p: "status" }]],
    ["an item with an op of its own making", [{ p: "status", o: "MERGE", v: 1 }]],
    ["an item with a path that is no text", [{ p: 1, v: 1 }]],
    [
      "an item that fails after one that would not",
      [
        { p: "status", v: "TIMEOUT" },
        { p: "fragments/9", v: 1 },
      ],
    ],
  ])("[STRM-015] a BATCH with %s is refused", (_name, v) => {
    expect(() => run({ p: "response", o: "BATCH", v })).toThrow(ProtocolError);
  });

  it.each<[string, string, unknown]>([
    ["a number on a text", "response/status", 1],
    ["a list on a text", "response/status", ["a"]],
    ["a text on a list", "response/fragments", "x"],
    ["an object on an object", "response/fragments/0", {}],
    ["a text on null", "response/fragments/1/content", "x"],
    ["a text on nothing", "response/new", "x"],
    ["a text on a number", "response/accumulated_token_usage", "1"],
    ["a message on the root", "", {}],
    ["text on the growing text's path when it is no text", "response/fragments/-1/content", 5],
  ])("[STRM-016] APPEND of %s is refused", (_name, p, v) => {
    expect(() => run({ p, o: "APPEND", v })).toThrow(ProtocolError);
  });
});

describe("hostile deltas", () => {
  it.each([
    "response/__proto__",
    "response/__proto__/polluted",
    "response/constructor/prototype/polluted",
    "response/fragments/-1/__proto__/polluted",
    "response/fragments/__proto__/polluted",
    "response/fragments/constructor",
    "response/prototype",
    "response/toString",
    "response/fragments/-1/hasOwnProperty",
    "__proto__/polluted",
    "constructor",
    "/response/status",
    "response/",
    "response//status",
    "responses/status",
    "request/status",
    "status",
    "response/missing/deeper",
    "response/status/0",
    "response/feedback/feedback_type",
    `response/${"a/".repeat(100_000)}a`,
  ])("[STRM-016] a path such as %.60s is refused and changes nothing", (p) => {
    const before = sample();
    const prototypes = [Object.prototype, Array.prototype].map((prototype) =>
      Object.getOwnPropertyNames(prototype),
    );
    for (const o of ["SET", "APPEND"] as const) {
      expect(() => applyDelta(before, FRESH_READER, { p, o, v: "polluted" })).toThrow(ProtocolError);
      expect(() =>
        applyDelta(before, FRESH_READER, { p: "response", o: "BATCH", v: [{ p: `x/../${p}`, o, v: 1 }] }),
      ).toThrow(ProtocolError);
    }
    expect(before).toEqual(sample());
    expect(
      [Object.prototype, Array.prototype].map((prototype) => Object.getOwnPropertyNames(prototype)),
    ).toEqual(prototypes);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("[STRM-016] a value that names __proto__ stays a value", () => {
    const v: unknown = JSON.parse('{"__proto__":{"polluted":true},"id":9,"type":"TIP"}');
    const { message } = run(
      { p: "response/fragments/-1", o: "SET", v },
      { p: "response/fragments/-1/content", o: "SET", v: "" },
      { p: "response/fragments/-1/content", o: "APPEND", v: "text" },
    );
    expect(Object.getPrototypeOf(message.fragments[2])).toBe(Object.prototype);
    expect((message.fragments[2] as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("[STRM-016] a million fragments are refused", () => {
    const v = Array.from({ length: 1_000_000 }, (_, id) => ({ id, type: "RESPONSE", content: "" }));
    expect(() => run({ p: "response/fragments", o: "APPEND", v })).toThrow(ProtocolError);
    expect(() => run({ v: { response: { ...sample(), fragments: v } } })).toThrow(ProtocolError);
  });

  it("[STRM-015] a BATCH nested without end is refused without overflowing the stack", () => {
    let delta: Delta = { o: "BATCH", v: [] };
    for (let depth = 0; depth < 50_000; depth++) delta = { o: "BATCH", v: [delta] };
    expect(() => run({ ...delta, p: "response" })).toThrow(ProtocolError);
  });

  it.each<[string, unknown]>([
    ["response/fragments", "text"],
    ["response/fragments", { length: 2 }],
    ["response/fragments/-1", null],
    ["response/fragments/-1/type", 5],
    ["response/message_id", 1.5],
    ["response/status", null],
    ["response", "text"],
  ])("[STRM-016] SET of %s to %o, which would leave no message, is refused", (p, v) => {
    expect(() => run({ p, o: "SET", v })).toThrow(ProtocolError);
  });

  it("any delta at all gives a message or a ProtocolError, and never touches its input", () => {
    const segment = fc.constantFrom(
      "response",
      "fragments",
      "-1",
      "0",
      "9",
      "content",
      "status",
      "__proto__",
      "constructor",
      "",
      "queries",
    );
    const delta = fc.record(
      {
        p: fc.array(segment, { maxLength: 5 }).map((segments) => segments.join("/")),
        o: fc.constantFrom("SET" as const, "APPEND" as const, "BATCH" as const),
        v: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant([{ p: "status", v: "WIP" }])),
      },
      { requiredKeys: ["v"] },
    );
    fc.assert(
      fc.property(fc.array(delta, { maxLength: 6 }), (deltas) => {
        let message = deepFreeze(sample());
        let reader: DeltaReader = FRESH_READER;
        for (const next of deltas) {
          try {
            ({ message, reader } = applyDelta(message, reader, deepFreeze(next)));
            deepFreeze(message);
          } catch (error) {
            expect(error).toBeInstanceOf(ProtocolError);
          }
        }
        expect(Array.isArray(message.fragments)).toBe(true);
        expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});

it("shares what a delta does not touch", () => {
  const before = sample();
  for (const p of ["response/fragments/-1/content", "response/fragments/2/content"]) {
    const { message } = applyDelta(before, FRESH_READER, { p, o: "APPEND", v: "!" });
    expect(message.fragments[2]).toEqual({ id: 4, type: "RESPONSE", content: "Hi!" });
    expect(message.fragments[0]).toBe(before.fragments[0]);
    expect(message.files).toBe(before.files);
    expect(before).toEqual(sample());
  }
});

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
