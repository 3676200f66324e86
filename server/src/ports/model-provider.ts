// What writes the replies. Adapters: an OpenAI-compatible endpoint, a GGUF file in the process, the demo model.

/** What a model may call in the middle of its answer. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON schema of the arguments, an object. */
  parameters: object;
}

export interface ToolCall {
  /** Names the call within one reply; the result refers to it. */
  id: string;
  name: string;
  /** JSON as the model wrote it, not checked. */
  arguments: string;
}

export interface ChatMessage {
  /** `tool` is the result of a call. */
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  /** Of an assistant message: the calls it made. */
  toolCalls?: ToolCall[];
  /** Of a tool message: the call it answers. */
  toolCallId?: string;
}

/** `plan`: what to look up before the answer is given; `title` and `plan` are short and have no thoughts. */
export type ModelPurpose = "chat" | "coder" | "title" | "plan";

/** One generation. `messages` is the whole conversation, oldest first. */
export interface ModelRequest {
  messages: ChatMessage[];
  purpose: ModelPurpose;
  /** Id of one of the offered models; absent, "" or no longer offered = the default one. */
  model?: string;
  /** Deep thinking asked for: chooses the model and its parameter; changes nothing for a model without reasoning. */
  thinking: boolean;
  /**
   * The partial reply to go on from, when this generation continues one (take-over, continue).
   * The provider gives it back to the model in the way its `continuation` says and yields only what follows.
   * With `answer` empty the reply died while thinking and goes on in its thought.
   */
  prefix?: { reasoning: string; answer: string };
  /** What the model may call; absent or empty = nothing. A model that knows no tools ignores them. */
  tools?: readonly ModelTool[];
  /** Upper bound of tokens to produce; absent = the model's own. */
  maxTokens?: number;
  /** Called at once and then about each 10 s while the generation is queued behind others. */
  waiting?: () => void;
}

/**
 * Pieces in order of arrival. `reasoning` and `text` never hold half of a surrogate pair.
 * `text_was_thought` comes once at most and before more text: all text so far, of a prefix too, was not the answer.
 * A `tool_call` is whole; the calls come after the text and before `end`.
 * `end` is the last chunk: `length` = the model's own output limit, `filter` = its content filter.
 */
export type ModelChunk =
  | { type: "reasoning"; text: string }
  | { type: "text"; text: string }
  | { type: "text_was_thought" }
  | { type: "tool_call"; call: ToolCall }
  | { type: "usage"; promptTokens: number; completionTokens: number }
  | { type: "end"; reason: "stop" | "length" | "filter" };

/** An answer of which only the text counts, with what has come since. */
export function withChunks(answer: string, chunks: readonly ModelChunk[]): string {
  for (const chunk of chunks) {
    if (chunk.type === "text") answer += chunk.text;
    if (chunk.type === "text_was_thought") answer = "";
  }
  return answer;
}

export type ModelFailure = "unavailable" | "busy" | "rate_limited" | "context_length" | "stall" | "protocol";

/** The one error a generation throws, besides the AbortError of its own signal. */
export class ModelError extends Error {
  readonly failure: ModelFailure;
  /** So many seconds another call would be refused, too; undefined where the model does not say. */
  retryAfterSecs: number | undefined;
  constructor(failure: ModelFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ModelError";
    this.failure = failure;
  }
}

export interface ModelInfo {
  /** Shown to people and printable, whatever the endpoint calls it. */
  name: string;
  kind: "endpoint" | "embedded" | "demo";
  /** Context window in tokens. */
  contextTokens: number;
  /** Can show reasoning when thinking is asked for. */
  thinking: boolean;
  /** How a partial reply is continued: as the prefix of the answer, or by an instruction after it. */
  continuation: "prefix" | "instruct";
  /** Of an endpoint, without credentials and query. For the operator alone. */
  address?: string;
  /** Why the endpoint is of no use now, after "which …"; absent while it answers. For the operator alone. */
  trouble?: string;
}

/** A model that people may choose instead of the default one. */
export interface OfferedModel {
  /** As the wire and the endpoint name it. */
  id: string;
  /** Shown to people. */
  name: string;
  /** False where the endpoint tells its models and this is none of them. */
  listed: boolean;
}

/**
 * Promises: aborting `signal` ends the generation and closes the upstream socket before the iterator settles;
 * a generation throws ModelError or ends with `end`, never both; silence longer than the stall limit
 * (MODEL_STALL_MS; first token of a local endpoint 300 s) throws ModelError("stall"); chunks are yielded as
 * they come, several in one array when they came together; `waiting` may be called while queued, which is no stall.
 */
export interface ModelProvider {
  generate(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelChunk[]>;
  /** What answers now to a request for this model; may change when an endpoint is found later. Never blocks. */
  info(model?: string): ModelInfo;
  /** What people may choose besides the default one; empty where there is no choice. Never blocks. */
  offered(): readonly OfferedModel[];
  /** For readyz: "ok", or "degraded" while the endpoint does not answer. Never throws. */
  health(): Promise<"ok" | "degraded">;
  /** Stops background work and frees the model. */
  close(): Promise<void>;
}
