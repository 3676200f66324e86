// Replies made at random, with the message each must become kept beside them by plain mutation: an oracle that shares
// no code with the fold.
import * as fc from "fast-check";
import type { EndStatus, Message } from "../conversation/message.ts";
import type { Fragment } from "../conversation/fragment.ts";
import type { NumberedEvent, StreamEvent } from "./stream-event.ts";

/** `messages[i]` is the message after `events[i]`; null before the snapshot and after a hint that clears it. */
export interface RecordedReply {
  events: NumberedEvent[];
  messages: (Message | null)[];
}

type Step =
  | { kind: "text"; text: string }
  | { kind: "fragment"; type: "THINK" | "RESPONSE" | "SEARCH" | "FUTURE"; text: string }
  | { kind: "elapsed"; secs: number }
  | { kind: "tip"; text: string }
  | { kind: "toast"; text: string };

/** Text of every sort a model may send: any planes, line ends, and what looks like the framing itself. */
const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom(
    "\n\ndata: {}\n\n",
    "\r\n",
    "\r",
    " ",
    "\uFEFF",
    "\u2028",
    "\0",
    "👩‍👩‍👧",
    "id: 9\n",
    '"\\',
    ": c",
  ),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("text" as const), text: anyText }) },
  fc.record({
    kind: fc.constant("fragment" as const),
    type: fc.constantFrom("THINK" as const, "RESPONSE" as const, "SEARCH" as const, "FUTURE" as const),
    text: anyText,
  }),
  fc.record({ kind: fc.constant("elapsed" as const), secs: fc.integer({ min: 0, max: 900 }) }),
  fc.record({ kind: fc.constant("tip" as const), text: anyText }),
  fc.record({ kind: fc.constant("toast" as const), text: anyText }),
);

/** A whole reply, from ready to close, ending in any of the ways a reply can. */
export const anyReply: fc.Arbitrary<RecordedReply> = fc
  .record({
    steps: fc.array(step, { maxLength: 14 }),
    startsEmpty: fc.boolean(),
    end: fc.constantFrom<EndStatus | "CLEARED" | "LATE_FINISH">(
      "FINISHED",
      "LATE_FINISH",
      "INCOMPLETE",
      "TIMEOUT",
      "CONTEXT_LENGTH_EXCEEDED",
      "CONTENT_FILTER",
      "CLEARED",
    ),
    title: fc.boolean(),
  })
  .map(({ steps, startsEmpty, end, title }) => record(steps, startsEmpty, end, title));

function record(
  steps: Step[],
  startsEmpty: boolean,
  end: EndStatus | "CLEARED" | "LATE_FINISH",
  title: boolean,
): RecordedReply {
  const events: NumberedEvent[] = [];
  const messages: (Message | null)[] = [];
  let message: Message | null = null;
  const emit = (event: StreamEvent): void => {
    events.push({ ...event, id: events.length + 1 });
    messages.push(structuredClone(message));
  };
  const set = (p: string, v: unknown): void => emit({ type: "delta", data: { p, o: "SET", v } });

  emit({ type: "ready", data: { request_message_id: 1, response_message_id: 2, model_type: "default" } });
  emit({ type: "update_session", data: { updated_at: 1790000000.5 } });

  const open: Message = { ...blankMessage(), has_pending_fragment: startsEmpty };
  if (!startsEmpty)
    open.fragments.push({ id: 2, type: "RESPONSE", content: "A", references: [], stage_id: 1 });
  message = open;
  emit({ type: "delta", data: { p: "", o: "SET", v: { response: structuredClone(open) } } });

  for (const next of steps) {
    const last = open.fragments.at(-1) as Record<string, unknown> | undefined;
    if (next.kind === "toast") {
      emit({ type: "toast", data: { type: "warning", content: next.text, clear_response: false } });
    } else if (next.kind === "text") {
      if (typeof last?.["content"] !== "string") continue;
      last["content"] += next.text;
      emit({ type: "delta", data: { p: "response/fragments/-1/content", o: "APPEND", v: next.text } });
    } else if (next.kind === "elapsed") {
      if (last?.["type"] !== "THINK") continue;
      last["elapsed_secs"] = next.secs;
      set("response/fragments/-1/elapsed_secs", next.secs);
    } else {
      const fragment = newFragment(open.fragments.length + 2, next);
      if (open.has_pending_fragment) {
        // Never in a BATCH: some readers lose a first fragment inside one (wire-contract.md §4.5).
        open.has_pending_fragment = false;
        set("response/has_pending_fragment", false);
      }
      open.fragments.push(fragment);
      const v = [structuredClone(fragment)];
      emit({ type: "delta", data: { p: "response/fragments", o: "APPEND", v } });
      if (fragment.type === "SEARCH") runSearch(fragment as Record<string, unknown>, emit, set);
    }
  }

  if (end === "CLEARED") {
    message = null;
    emit({
      type: "hint",
      data: {
        type: "error",
        content: "too long",
        clear_response: true,
        click_behavior: "none",
        finish_reason: "input_exceeds_limit",
      },
    });
  } else if (end === "LATE_FINISH") {
    open.status = "FINISHED";
    emit({ type: "finish", data: {} });
  } else {
    open.accumulated_token_usage = 41;
    emit({
      type: "delta",
      data: {
        p: "response",
        o: "BATCH",
        v: [
          { p: "accumulated_token_usage", v: 41 },
          { p: "quasi_status", v: end },
        ],
      },
    });
    open.status = end;
    set("response/status", end);
    if (end === "FINISHED") emit({ type: "finish", data: {} });
  }
  emit({
    type: "update_session",
    data: { updated_at: 1790000009, thinking_quota: { quota: 50, used: 1, reset_at: 1790006400 } },
  });
  if (title) emit({ type: "title", data: { content: "A title" } });
  emit({
    type: "close",
    data: { click_behavior: end === "FINISHED" ? "none" : "retry", auto_resume: false },
  });
  return { events, messages };
}

function runSearch(
  fragment: Record<string, unknown>,
  emit: (event: StreamEvent) => void,
  set: (p: string, v: unknown) => void,
): void {
  const path = "response/fragments/-1";
  const results = [{ cite_index: 1, url: "http://a.test", title: "a" }];
  fragment["queries"] = [{ query: "q", status: "WIP", results: [] }];
  set(`${path}/queries`, [{ query: "q", status: "WIP", results: [] }]);
  fragment["queries"] = [{ query: "q", status: "WIP", results }];
  set(`${path}/queries/0/results`, results);
  fragment["queries"] = [{ query: "q", status: "FINISHED", results }];
  set(`${path}/queries/0/status`, "FINISHED");
  fragment["results"] = results;
  set(`${path}/results`, results);
  fragment["status"] = "FINISHED";
  fragment["content"] = "";
  const v = [
    { p: "status", v: "FINISHED" },
    { p: "content", v: "" },
  ];
  emit({ type: "delta", data: { p: path, o: "BATCH", v } });
}

function newFragment(id: number, step: Extract<Step, { kind: "fragment" | "tip" }>): Fragment {
  const constants = { references: [], stage_id: 1 };
  if (step.kind === "tip")
    return { id, type: "TIP", content: step.text, style: "INFO", hide_on_wip: true, category: null };
  switch (step.type) {
    case "SEARCH":
      return { id, type: "SEARCH", status: "WIP", content: null, queries: [], results: [], ...constants };
    case "THINK":
      return { id, type: "THINK", content: step.text, elapsed_secs: null, ...constants };
    case "RESPONSE":
      return { id, type: "RESPONSE", content: step.text, ...constants };
    case "FUTURE":
      return { id, type: "FUTURE", content: step.text, anything: [{ deep: step.text }] };
  }
}

function blankMessage(): Message {
  return {
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
    has_pending_fragment: false,
    feedback: null,
    inserted_at: 1790000000.25,
    client_stream_id: "20260921-a1b2c3d4e5f6g7h8",
    model: "",
    incomplete_message: null,
    auto_continue: false,
    conversation_mode: "DEFAULT",
  };
}
