// Asks the model and says what it answers, until it ends or calls a tool.
import type { Message } from "@plumb/protocol/conversation/message";
import {
  type ModelChunk,
  ModelError,
  type ModelInfo,
  type ModelProvider,
  type ModelRequest,
  type ToolCall,
} from "../../ports/model-provider.ts";
import type { ReplyRow } from "../sessions/reply-store.ts";
import { buildPrompt } from "./build-prompt.ts";
import { joinContinuation } from "./continue-prefix.ts";
import type { EarlyCall } from "./early-call.ts";
import type { FinishReason } from "./reply-events.ts";
import type { ReplyStep, StepDesk, ToolKind } from "./reply-steps.ts";

export interface ModelStepParts {
  model: ModelProvider;
  reply: ReplyRow;
  /** The messages from the root down to the request. */
  loadBranch: () => Promise<Message[]>;
  tools: readonly ToolKind[];
  /** The first call, where it began while the turn was stored. */
  early?: EarlyCall | undefined;
}

/** Throws what the model throws: see `failureReason`. */
export function modelStep(parts: ModelStepParts): ReplyStep {
  let { early } = parts;
  const step: ReplyStep = {
    name: "model",
    async run(desk) {
      const { model, reply, tools } = parts;
      const begun = early;
      early = undefined;
      const request =
        begun?.request ?? (await buildPrompt(reply, await parts.loadBranch(), desk.message, tools));
      const chunks = begun?.take(desk.signal) ?? model.generate(request, desk.signal);
      const { calls, reason } = await pull(chunks, request, model.info(request.model).continuation, desk);
      if (calls.length > 0) {
        const offered = tools.filter((kind) => kind.isOffered(desk.message));
        return { kind: "next", steps: [...calls.map((call) => beginTool(offered, call)), step] };
      }
      return { kind: "finish", reason: finishReason(reason, desk.hasWords) };
    },
  };
  return step;
}

type EndReason = Extract<ModelChunk, { type: "end" }>["reason"];

/** Says everything the model gives; returns what else it wants. */
async function pull(
  chunks: AsyncIterable<ModelChunk[]>,
  request: ModelRequest,
  style: ModelInfo["continuation"],
  desk: StepDesk,
): Promise<{ calls: ToolCall[]; reason: EndReason | null }> {
  const known = request.prefix ?? { answer: "", reasoning: "" };
  const answer = joinContinuation(known.answer, style);
  const thought = joinContinuation(known.answer === "" ? known.reasoning : "", style);
  // A model that thinks again before it goes on with an answer: the reader has the beginning of that answer already.
  const dropsThought = known.answer !== "";
  const calls: ToolCall[] = [];
  let reason: EndReason | null = null;
  for await (const group of chunks) {
    for (const chunk of group) {
      if (chunk.type === "text") {
        desk.say("reasoning", thought.end());
        desk.say("text", answer.push(chunk.text));
      } else if (chunk.type === "text_was_thought") {
        desk.say("text", answer.end());
        desk.endThought();
      } else if (chunk.type === "reasoning") {
        if (!dropsThought) desk.say("reasoning", thought.push(chunk.text));
      } else if (chunk.type === "tool_call") calls.push(chunk.call);
      else if (chunk.type === "end") reason = chunk.reason;
    }
    const due = desk.pace();
    if (due !== null) await due;
  }
  desk.say("reasoning", thought.end());
  desk.say("text", answer.end());
  return { calls, reason };
}

function beginTool(tools: readonly ToolKind[], call: ToolCall): ReplyStep {
  const kind = tools.find(({ tool }) => tool.name === call.name);
  if (kind === undefined)
    throw new ModelError("protocol", "The model called a tool that it was not offered.");
  return kind.begin(call);
}

/** An end without a word is no answer, whatever was found for it. */
function finishReason(reason: EndReason | null, hasWords: boolean): FinishReason {
  if (reason === "filter") return { kind: "filtered" };
  if (reason === "length") return { kind: "length" };
  return hasWords ? { kind: "finished" } : { kind: "failed", reason: "generation_err" };
}

/** What the reader is told of a failure (wire-contract.md §4.6): before the first token its cause, later only that it broke off. */
export function failureReason(error: unknown, hasWords: boolean): FinishReason {
  const failure = error instanceof ModelError ? error.failure : "unavailable";
  if (failure === "stall") return { kind: "timeout" };
  if (failure === "context_length") return { kind: "context_length" };
  if (failure !== "busy" && failure !== "rate_limited") return { kind: "failed", reason: "generation_err" };
  const cause = failure === "busy" ? "server_busy" : "rate_limit_reached";
  // How long another try is of no use is told in any case.
  const retryAfterSecs = error instanceof ModelError ? error.retryAfterSecs : undefined;
  return { kind: "failed", reason: hasWords ? "generation_err" : cause, retryAfterSecs };
}
