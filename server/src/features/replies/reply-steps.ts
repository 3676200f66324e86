// A reply is a list of steps: asking the model is one, what the model calls in between are others.
// The list is not stored beside the log: every step leaves its state in the fragments of the reply, and what is left to do
// is read from them, for a new reply as for one that is taken over.
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import type { ChatMessage, ModelTool, ToolCall } from "../../ports/model-provider.ts";
import type { FinishReason } from "./reply-events.ts";
import type { NewFragment } from "./reply-writer.ts";

/** What a step may use of its run. */
export interface StepDesk {
  /** Aborted when the run ends for a reason outside the step. The step then returns or throws, whichever is easier. */
  readonly signal: AbortSignal;
  /** The reply as it stood when the step began: all that the steps before wrote is stored by then. */
  readonly message: Message;
  /** True once the reply has a thought or a part of an answer. */
  readonly hasWords: boolean;
  /** Adds words of the model, up to what a reply may hold. Nothing is added once the run ends. */
  say(kind: "reasoning" | "text", words: string): void;
  /** The text that is being said was a thought, and is over. */
  endThought(): void;
  /** To be awaited before more is taken: resolves when more can be stored. Null when that is now. */
  pace(): Promise<void> | null;
  /** Begins a fragment. Nothing is begun or changed once the run ends: its end stands behind all that a step wrote. */
  begin(fragment: NewFragment): void;
  /** Changes the fragment that was begun last: deltas on `response/fragments/-1`. */
  change(...events: StreamEvent[]): void;
}

/** How a step ended: the reply is over, or these steps come before those that are left. */
export type StepEnd =
  { kind: "finish"; reason: FinishReason } | { kind: "next"; steps: readonly ReplyStep[] };

export interface ReplyStep {
  /** For log lines. */
  readonly name: string;
  run(desk: StepDesk): Promise<StepEnd>;
}

/** A kind of step that the model calls as a tool. One call leaves one fragment. */
export interface ToolKind {
  readonly tool: ModelTool;
  /** Type of its fragments; no other kind has it. */
  readonly fragmentType: Fragment["type"];
  begin(call: ToolCall): ReplyStep;
  /** True when a fragment shows that its step has nothing left to do. */
  isDone(fragment: Fragment): boolean;
  /** Goes on with the step that left this fragment. */
  resume(fragment: Fragment): ReplyStep;
  /** True while the model may call it in this reply. */
  isOffered(message: Message): boolean;
  /** What the model is told of it when it goes on. */
  tell(fragment: Fragment, message: Message): Promise<Told>;
}

/** The result of a step: a part of the prompt where the step was done for the prompt, else the call and what it gave. */
export type Told = { kind: "prompt"; before: string } | { kind: "exchange"; messages: ChatMessage[] };

/** The steps that are left of a reply: those that were begun and not done, then asking the model. */
export function stepsLeft(message: Message, tools: readonly ToolKind[], ask: ReplyStep): ReplyStep[] {
  const begun = message.fragments.flatMap((fragment) => {
    const kind = kindOf(fragment, tools);
    return kind === undefined || kind.isDone(fragment) ? [] : [kind.resume(fragment)];
  });
  return [...begun, ask];
}

export function kindOf(fragment: Fragment, tools: readonly ToolKind[]): ToolKind | undefined {
  return tools.find((kind) => kind.fragmentType === fragment.type);
}
