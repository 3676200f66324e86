import type { Message } from "@plumb/protocol/conversation/message";
import { reduceReply, storedReply } from "@plumb/protocol/stream/reply-reducer";
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endEvents, snapshotEvent } from "./reply-events.ts";
import { createReplyWriter } from "./reply-writer.ts";

const message: Message = {
  message_id: 2,
  parent_id: 1,
  role: "ASSISTANT",
  status: "WIP",
  fragments: [],
  files: [],
  accumulated_token_usage: 0,
  thinking_enabled: true,
  search_enabled: false,
  ban_regenerate: false,
  ban_edit: false,
  has_pending_fragment: true,
  feedback: null,
  inserted_at: 1,
  client_stream_id: null,
  model: "",
  incomplete_message: null,
  auto_continue: false,
  conversation_mode: "DEFAULT",
};

function fold(start: Message, events: readonly StreamEvent[]): Message | null {
  return events.reduce(
    (state, event, index) => reduceReply(state, { ...event, id: index + 1 }),
    storedReply(start, 0),
  ).message;
}

describe("writing a reply", () => {
  it("opens with a snapshot, times the thought and goes on with the answer [ENG-016] [ENG-017]", () => {
    let now = 1000;
    const writer = createReplyWriter(message, false, 0, () => now);
    const events = [...writer.reasoning("Hm"), ...writer.reasoning(", well")];
    now += 1250;
    events.push(...writer.text("Yes"), ...writer.text("."), ...writer.beforeEnd());
    expect(fold(message, events)?.fragments).toMatchObject([
      { id: 2, type: "THINK", content: "Hm, well", elapsed_secs: 1.25 },
      { id: 3, type: "RESPONSE", content: "Yes." },
    ]);
    expect(fold(message, events)?.has_pending_fragment).toBe(false);
  });

  it("has an empty snapshot when the end comes before any word, and no pending fragment after it", () => {
    const writer = createReplyWriter(message, false, 0, () => 0);
    const events = [
      ...writer.beforeEnd(),
      ...endEvents({ kind: "stopped" }, { usage: 3, locale: "en_US", hasFragment: false, nextFragmentId: 2 }),
    ];
    expect(fold(message, events)).toMatchObject({
      status: "INCOMPLETE",
      fragments: [],
      has_pending_fragment: false,
      accumulated_token_usage: 3,
    });
  });

  it("replaces what a filter withdrew", () => {
    const writer = createReplyWriter(message, false, 0, () => 0);
    const events = [
      ...writer.text("something bad"),
      ...writer.beforeEnd(),
      ...endEvents({ kind: "filtered" }, { usage: 3, locale: "zh_CN", hasFragment: true, nextFragmentId: 3 }),
    ];
    const folded = fold(message, events);
    expect(folded).toMatchObject({ status: "CONTENT_FILTER", ban_regenerate: true });
    expect(folded?.fragments).toMatchObject([{ id: 3, type: "TEMPLATE_RESPONSE" }]);
    expect(JSON.stringify(folded)).not.toContain("something bad");
    expect(events.filter(({ type }) => type === "toast")).toHaveLength(1);
  });

  it("tells of a filtered prompt without a toast: nothing was withdrawn that anybody saw", () => {
    const writer = createReplyWriter(message, false, 0, () => 0);
    const events = [
      ...writer.beforeEnd(),
      ...endEvents(
        { kind: "filtered" },
        { usage: 3, locale: "zh_CN", hasFragment: false, nextFragmentId: 2 },
      ),
    ];
    expect(events.map(({ type }) => type)).toEqual(["delta", "delta", "delta"]);
    expect(fold(message, events)).toMatchObject({
      status: "CONTENT_FILTER",
      has_pending_fragment: false,
      fragments: [{ id: 2, type: "TEMPLATE_RESPONSE" }],
    });
  });

  it("gives the same reply whether it was written in one run or taken over at any point", () => {
    const piece = fc.record({
      kind: fc.constantFrom("reasoning", "text"),
      words: fc.string({ minLength: 1 }),
    });
    const pieces = fc
      .array(piece, { minLength: 1, maxLength: 12 })
      .map((all) => all.toSorted((a, b) => Number(a.kind === "text") - Number(b.kind === "text")));
    fc.assert(
      fc.property(pieces, fc.nat(12), (all, at) => {
        const cut = Math.min(at, all.length);
        const write = (start: Message, logged: boolean, some: typeof all): StreamEvent[] => {
          const writer = createReplyWriter(start, logged, 0, () => 0);
          return some.flatMap(({ kind, words }) =>
            kind === "text" ? writer.text(words) : writer.reasoning(words),
          );
        };
        const whole = write(message, false, all);
        const first = write(message, false, all.slice(0, cut));
        const between = fold(message, first) ?? message;
        const second = write(between, first.length > 0, all.slice(cut));
        expect(fold(message, [...first, ...second])).toEqual(fold(message, whole));
      }),
    );
  });

  it("adds the first fragment of a continued reply that was empty", () => {
    const writer = createReplyWriter(message, true, 0, () => 0);
    const folded = fold(message, [snapshotEvent(message), ...writer.text("At last")]);
    expect(folded).toMatchObject({ has_pending_fragment: false, fragments: [{ id: 2, content: "At last" }] });
  });

  const shape = (events: readonly StreamEvent[]) =>
    events.map((event) => {
      if (event.type !== "delta") return event.type;
      const { p, v } = event.data;
      if (p === "")
        return `S ${(v as { response: Message }).response.fragments.map((part) => part.type).join()}`;
      if (p === "response/fragments") return `N ${(v as { type: string }[]).map((part) => part.type).join()}`;
      return `${p} = ${JSON.stringify(v)}`;
    });
  const P = "response/has_pending_fragment = false";

  it.each([
    [true, "reasoning", ["S THINK"]],
    [false, "text", ["S RESPONSE"]],
    [false, "reasoning", ["S ", P, "N THINK"]],
    [true, "text", ["S ", P, "N RESPONSE"]],
  ] as const)("with thinking_enabled %s begins with %s by %j", (thinking_enabled, kind, expected) => {
    const start = { ...message, thinking_enabled };
    const writer = createReplyWriter(start, false, 0, () => 0);
    const events = writer[kind]("First");
    expect(shape(events)).toEqual(expected);
    expect(fold(start, events)).toMatchObject({
      has_pending_fragment: false,
      fragments: [{ id: 2, content: "First" }],
    });
  });

  it("sends the first words after an empty snapshot by two deltas of their own, never in a BATCH", () => {
    const writer = createReplyWriter(message, false, 0, () => 0);
    expect(shape(writer.emptySnapshot())).toEqual(["S "]);
    expect(writer.emptySnapshot()).toEqual([]);
    expect(shape(writer.reasoning("Hm"))).toEqual([P, "N THINK"]);
    expect(shape(writer.text("Yes"))).toEqual(["response/fragments/-1/elapsed_secs = 0", "N RESPONSE"]);
    expect(shape(writer.text("."))).toEqual(['response/fragments/-1/content = "."']);
  });

  it("makes a thought of the text that was one, with the time it took, and goes on with the answer", () => {
    let now = 1000;
    const writer = createReplyWriter(message, false, 0, () => now);
    writer.textWasThought();
    const events = [...writer.text("Two"), ...writer.text(" and two.")];
    now += 500;
    writer.textWasThought();
    now += 500;
    events.push(...writer.text("Four"), ...writer.text("."), ...writer.beforeEnd());
    expect(fold(message, events)?.fragments).toEqual([
      { id: 2, type: "THINK", content: "Two and two.", elapsed_secs: 0.5, references: [], stage_id: 1 },
      { id: 3, type: "RESPONSE", content: "Four.", references: [], stage_id: 1 },
    ]);
  });

  it("tells that the text was a thought together with what follows, be it the end", () => {
    const mark = 'response/fragments/-1 = [{"p":"type","v":"THINK"},{"p":"elapsed_secs","v":0}]';
    const writers = [0, 1, 2].map(() => {
      const writer = createReplyWriter(message, false, 0, () => 0);
      writer.text("Two and two.");
      writer.textWasThought();
      return writer;
    });
    expect(
      writers.map((writer, how) => shape([writer.text, writer.reasoning, writer.beforeEnd][how]!("Four."))),
    ).toEqual([[mark, "N RESPONSE"], [mark, "N THINK"], [mark]]);
  });

  it("closes a thought that the end of the reply cuts", () => {
    let now = 0;
    const writer = createReplyWriter(message, false, 0, () => now);
    const events = writer.reasoning("Hm");
    now = 700;
    expect(shape(writer.beforeEnd())).toEqual(["response/fragments/-1/elapsed_secs = 0.7"]);
    expect(events).toHaveLength(1);
  });
});
