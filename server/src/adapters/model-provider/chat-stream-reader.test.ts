import { expect, test } from "vitest";
import type { ModelChunk } from "../../ports/model-provider.ts";
import { ChatStreamReader, type ChatStreamOptions } from "./chat-stream-reader.ts";

const STOP = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };

type Reading = Pick<ChatStreamOptions, "startIn" | "reasoning" | "before">;

function chunksOf(
  events: readonly object[],
  reading: Reading = { startIn: "auto", reasoning: "keep" },
): ModelChunk[] {
  const reader = new ChatStreamReader({ ...reading, secret: null });
  const encoder = new TextEncoder();
  for (const event of [...events, STOP]) reader.feed(encoder.encode(`data: ${JSON.stringify(event)}\n\n`));
  reader.feed(encoder.encode("data: [DONE]\n\n"));
  reader.finish();
  return reader.take() ?? [];
}

function read(events: readonly object[]): Record<"reasoning" | "text", string> {
  const chunks = chunksOf(events);
  const joined = (wanted: "reasoning" | "text") =>
    chunks.map((chunk) => (chunk.type === wanted ? chunk.text : "")).join("");
  return { reasoning: joined("reasoning"), text: joined("text") };
}
const delta = (content: object, index = 0) => ({ choices: [{ index, delta: content }] });

test.each<[what: string, events: object[], reasoning: string, text: string]>([
  [
    "content in parts",
    [
      delta({ content: [{ type: "text", text: "Four " }] }),
      delta({
        content: [
          { type: "text", text: "of " },
          { type: "text", text: "them." },
        ],
      }),
    ],
    "",
    "Four of them.",
  ],
  [
    "a thought in parts",
    [
      delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Count" }] }] }),
      delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: " them." }] }] }),
      delta({ content: "Four." }),
    ],
    "Count them.",
    "Four.",
  ],
  ["a refusal", [delta({ refusal: "I can't " }), delta({ refusal: "help." })], "", "I can't help."],
  [
    "several choices, each in events of its own",
    [
      delta({ content: "A" }),
      delta({ content: "B" }, 1),
      delta({ content: "A" }),
      delta({ content: "B" }, 1),
    ],
    "",
    "AA",
  ],
  [
    "several choices in one event, in any order",
    [{ choices: [null, { index: 1, delta: { content: "B" } }, { index: 0, delta: { content: "A" } }] }],
    "",
    "A",
  ],
  ["choices without a number", [{ choices: [{ delta: { content: "A" } }] }], "", "A"],
  [
    "parts of no form that is known",
    [
      delta({
        content: [1, null, "x", { type: "image_url" }, { thinking: [{ thinking: [{ text: "deep" }] }] }],
      }),
    ],
    "",
    "",
  ],
])("reads %s", (_what, events, reasoning, text) => {
  expect(read(events)).toEqual({ reasoning, text });
});

test("a thought that the chat template opened is said, and named one before the answer", () => {
  const events = [..."Hm.\n</think>\n\nFour."].map((content) => delta({ content }));
  expect(chunksOf(events)).toEqual([
    { type: "text", text: "Hm.\n" },
    { type: "text_was_thought" },
    { type: "text", text: "Four." },
    { type: "end", reason: "stop" },
  ]);
});

test("such a thought before the rest of an answer makes no thought of that answer", () => {
  const events = [delta({ content: "Hm.\n</think>\n\nur." })];
  const chunks = chunksOf(events, { startIn: "auto", reasoning: "drop" });
  expect(chunks).toEqual([
    { type: "text", text: "Hm.ur." },
    { type: "end", reason: "stop" },
  ]);
});

test("where no thought is known of what is continued by instruction, all of it was one", () => {
  const events = [delta({ content: " and two.\n</think>\n\nFour." })];
  const chunks = chunksOf(events, { startIn: "auto", reasoning: "drop", before: "Two" });
  expect(chunks).toEqual([
    { type: "text", text: " and two." },
    { type: "text_was_thought" },
    { type: "text", text: "Four." },
    { type: "end", reason: "stop" },
  ]);
});

test("where thoughts have a field of their own, a closing tag is the answer's", () => {
  const events = [delta({ reasoning_content: "Hm." }), delta({ content: "It is\n</think>\nthen." })];
  expect(read(events)).toEqual({ reasoning: "Hm.", text: "It is\n</think>\nthen." });
});

test("an empty finish_reason beside each piece, as some servers send it for null, ends nothing", () => {
  const reader = new ChatStreamReader({ startIn: "auto", reasoning: "keep", secret: null });
  const feed = (content: string, reason: string) => {
    const event = { choices: [{ index: 0, delta: { content }, finish_reason: reason }] };
    reader.feed(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
  };
  feed("One", "");
  expect(reader.finishing).toBe(false);
  expect(() => reader.finish()).toThrow(/cut/);
  feed(" two", "length");
  expect(reader.finishing).toBe(true);
  reader.finish();
  expect(reader.take()?.at(-1)).toEqual({ type: "end", reason: "length" });
});

const called = (id: string | undefined, name: string | undefined, given: string) =>
  delta({
    tool_calls: [{ index: 0, ...(id === undefined ? {} : { id }), function: { name, arguments: given } }],
  });

test.each<[what: string, events: object[], calls: string[]]>([
  [
    "several calls under one number",
    [called("a", "look", '{"q":1}'), called("b", "look", '{"q":'), called(undefined, undefined, "2}")],
    ['a look {"q":1}', 'b look {"q":2}'],
  ],
  [
    "one call whose name comes in pieces",
    [called("a", "lo", ""), called(undefined, "ok", "{"), called(undefined, undefined, "}")],
    ["a look {}"],
  ],
  [
    "one call with another id beside each piece of what it is given",
    [called("a", "look", "{"), called("b", undefined, "}")],
    ["b look {}"],
  ],
])("reads %s", (_what, events, calls) => {
  const read = chunksOf(events).flatMap((chunk) => (chunk.type === "tool_call" ? [chunk.call] : []));
  expect(read.map(({ id, name, arguments: given }) => `${id} ${name} ${given}`)).toEqual(calls);
});
