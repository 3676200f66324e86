// The walk over the steps of a reply, with a model that calls a tool: no database, no network.
import type { Fragment, SearchFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import { storedReply } from "@plumb/protocol/stream/reply-reducer";
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import { describe, expect, it } from "vitest";
import { createScriptedModel } from "../../../test/scripted-model.ts";
import { createLogger } from "../../platform/logger.ts";
import { systemClock } from "../../ports/clock.ts";
import type { ModelRequest, ToolCall } from "../../ports/model-provider.ts";
import type { ReplyRow } from "../sessions/reply-store.ts";
import { type CommitSchedule, LogAppender } from "./log-appender.ts";
import { modelStep } from "./model-step.ts";
import { delta, type FinishReason } from "./reply-events.ts";
import { ReplyFeed } from "./reply-feed.ts";
import { type ReplyStep, stepsLeft, type ToolKind } from "./reply-steps.ts";
import { createReplyWriter } from "./reply-writer.ts";
import { ReplyRun } from "./run-reply.ts";

const reply = {
  id: 7,
  agent: "none",
  instructions: null,
  thinking_enabled: 0,
  produced_ms: 0,
  started_at: 0,
} as ReplyRow;
const empty: Message = {
  message_id: 2,
  parent_id: 1,
  role: "ASSISTANT",
  status: "WIP",
  fragments: [],
  files: [],
  accumulated_token_usage: 0,
  thinking_enabled: false,
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
const question = {
  ...empty,
  role: "USER",
  fragments: [{ id: 1, type: "REQUEST", content: "Rain?" }],
} as Message;

/** Looks things up: one SEARCH fragment for each call. */
function lookUp(): ToolKind & { looked: string[] } {
  const looked: string[] = [];
  const status = (fragment: Fragment) => (fragment as SearchFragment).status;
  const finish = (query: string): ReplyStep => ({
    name: "search",
    async run(desk) {
      looked.push(query);
      desk.change(delta({ p: "response/fragments/-1/status", o: "SET", v: "FINISHED" }));
      return { kind: "next", steps: [] };
    },
  });
  return {
    looked,
    fragmentType: "SEARCH",
    tool: { name: "search", description: "Searches.", parameters: { type: "object" } },
    begin: (call: ToolCall) => ({
      name: "search",
      async run(desk) {
        const queries = [{ query: call.arguments, status: "WIP" as const, results: [] }];
        desk.begin({ type: "SEARCH", status: "WIP", content: null, queries, results: [] });
        return finish(call.arguments).run(desk);
      },
    }),
    isDone: (fragment) => status(fragment) !== "WIP",
    resume: (fragment) => finish((fragment as SearchFragment).queries[0]?.query ?? ""),
    isOffered: () => true,
    async tell(fragment) {
      const query = (fragment as SearchFragment).queries[0]?.query ?? "";
      return {
        kind: "exchange",
        messages: [
          { role: "assistant", content: "", toolCalls: [{ id: "c", name: "search", arguments: query }] },
          { role: "tool", content: `found ${query}`, toolCallId: "c" },
        ],
      };
    },
  };
}

/** Commits at once; `stored` is what a log would hold. */
function openRun(message: Message, tool: ToolKind) {
  const model = createScriptedModel();
  const feed = new ReplyFeed(reply.id, storedReply(message, 0));
  const stored: StreamEvent[] = [];
  const schedule: CommitSchedule = {
    schedule(appender) {
      stored.push(...appender.freeze());
      appender.committed();
    },
    nextFlush: async () => {},
    pace: () => null,
    now: () => systemClock.monotonic(),
  };
  let reason: FinishReason | undefined;
  const ask = modelStep({ model, reply, tools: [tool], loadBranch: async () => [question] });
  const begin = () =>
    new ReplyRun({
      reply,
      epoch: 1,
      feed,
      clock: { ...systemClock, now: () => 0 },
      lines: createLogger("silent"),
      openAppender: (listener) => new LogAppender(schedule, { reply: 7, epoch: 1, nextId: 1 }, listener),
      writer: createReplyWriter(message, message.fragments.length > 0, 0, () => 0),
      ending: {
        settle: async (ended) => {
          reason = ended;
        },
        close: async () => {},
        giveUp: async () => {},
      },
      steps: stepsLeft(message, [tool], ask),
      openScreen: null,
      title: null,
      decided: undefined,
      inTail: false,
      onLeft: () => {},
    });
  return { model, feed, begin, stored, reason: () => reason };
}

const call = (query: string) => ({
  type: "tool_call" as const,
  call: { id: "c", name: "search", arguments: query },
});
const types = (message: Message | null) => message?.fragments.map((part) => part.type);
const said = (request: ModelRequest) => request.messages.map(({ role, content }) => `${role}: ${content}`);

describe("the steps of a reply", () => {
  it("go from the model to the tool it calls and back, without a change of the loop", async () => {
    const tool = lookUp();
    const { model, feed, begin, reason } = openRun(empty, tool);
    const first = model.next();
    const run = begin();
    const asked = await first;
    expect(asked.request.tools).toEqual([tool.tool]);
    const second = model.next();
    asked.push({ type: "text", text: "Let me look." }, call("rain"), { type: "end", reason: "stop" });
    const again = await second;
    expect(said(again.request)).toEqual([
      "user: Rain?",
      "assistant: Let me look.",
      "assistant: ",
      "tool: found rain",
    ]);
    expect(again.request.prefix).toBeUndefined();
    again.say("It rains.");
    again.end();
    await run.done;
    expect(tool.looked).toEqual(["rain"]);
    expect(types(feed.state.message)).toEqual(["RESPONSE", "SEARCH", "RESPONSE"]);
    expect(reason()).toEqual({ kind: "finished" });
  });

  const searched = (status: "WIP" | "FINISHED"): Message => ({
    ...empty,
    has_pending_fragment: false,
    fragments: [
      {
        id: 2,
        type: "SEARCH",
        status,
        content: null,
        queries: [{ query: "rain", status, results: [] }],
        results: [],
      },
    ],
  });

  it.each([
    ["goes on with a search that was not done", searched("WIP"), ["rain"]],
    ["does not search again what was found", searched("FINISHED"), []],
  ])("a take-over %s", async (_case, message, looked) => {
    const tool = lookUp();
    const { model, feed, begin } = openRun(message, tool);
    const next = model.next();
    const run = begin();
    const asked = await next;
    expect(said(asked.request)).toEqual(["user: Rain?", "assistant: ", "tool: found rain"]);
    asked.say("It rains.");
    asked.end();
    await run.done;
    expect(tool.looked).toEqual(looked);
    expect(feed.state.message?.fragments).toMatchObject([
      { type: "SEARCH", status: "FINISHED" },
      { id: 3, type: "RESPONSE", content: "It rains." },
    ]);
  });

  it("gives what was said since the last tool back as the prefix", async () => {
    const tool = lookUp();
    const message = searched("FINISHED");
    message.fragments.push({ id: 3, type: "RESPONSE", content: "It ra" });
    const { model, begin, feed } = openRun(message, tool);
    const next = model.next();
    const run = begin();
    const asked = await next;
    expect(asked.request.prefix).toEqual({ reasoning: "", answer: "It ra" });
    asked.say("ins.");
    asked.end();
    await run.done;
    expect(feed.state.message?.fragments.at(-1)).toMatchObject({ content: "It rains." });
  });

  it("end as failed when the model calls what it was not offered", async () => {
    const tool = lookUp();
    const { model, begin, reason } = openRun(empty, tool);
    const next = model.next();
    const run = begin();
    const asked = await next;
    asked.push(
      { type: "tool_call", call: { id: "x", name: "format_disk", arguments: "{}" } },
      { type: "end", reason: "stop" },
    );
    await run.done;
    expect(reason()).toEqual({ kind: "failed", reason: "generation_err" });
    expect(tool.looked).toEqual([]);
  });
});
