// Bytes of a chat/completions stream → chunks of the port. The hot path: no schema, no object that is not needed.
import { createParser, type EventSourceParser } from "eventsource-parser";
import { ModelError, type ModelChunk } from "../../ports/model-provider.ts";
import { firstChoice, saidInParts } from "./delta-content.ts";
import { errorOfObject } from "./endpoint-errors.ts";
import { SurrogateGuard } from "./surrogate-guard.ts";
import { ThinkTagSplitter } from "./think-tags.ts";
import { ToolCallCollector, type ToolCallPiece } from "./tool-call-collector.ts";

/** Longest event or unfinished line in characters. */
const EVENT_LIMIT = 4 * 1024 * 1024;
/**
 * Most line ends that may come without an event between them. An event of a chat is one line; the parser joins those of
 * many, and a million short ones hold forty times their characters.
 */
const LINES_LIMIT = 20_000;

interface ChatEvent {
  error?: unknown;
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown } | null;
  choices?: ({
    index?: unknown;
    delta?: {
      content?: unknown;
      refusal?: unknown;
      reasoning_content?: unknown;
      reasoning?: unknown;
      tool_calls?: ToolCallPiece[] | null;
    } | null;
    finish_reason?: unknown;
  } | null)[];
}

export interface ChatStreamOptions {
  /** Where the text begins: see ThinkTagSplitter. */
  startIn: "auto" | "thinking" | "text";
  /** What a thought is when an answer is being continued: dropped, or the answer under a wrong label. */
  reasoning: "keep" | "drop" | "as_text";
  /** Of an answer that is being continued without a known thought: its text, which may be one (see ThinkTagSplitter). */
  before?: string;
  secret: string | null;
}

/** Reads one reply. `feed` throws ModelError; `take` gives what has come since the last take. */
export class ChatStreamReader {
  /** Data events read so far; comments do not count. */
  events = 0;
  /** `[DONE]` was seen. */
  done = false;
  private finishReason: "stop" | "length" | "filter" | undefined;
  /** Line ends since the last event, of the pieces that brought none. */
  private openLines = 0;
  private usage: Extract<ModelChunk, { type: "usage" }> | undefined;
  private out: ModelChunk[] = [];
  private readonly calls = new ToolCallCollector();
  private readonly decoder = new TextDecoder();
  private readonly guards = { reasoning: new SurrogateGuard(), text: new SurrogateGuard() };
  private readonly parser: EventSourceParser;
  private readonly tags: ThinkTagSplitter;
  private readonly options: ChatStreamOptions;

  constructor(options: ChatStreamOptions) {
    this.options = options;
    this.tags = new ThinkTagSplitter(
      options.startIn,
      (type, text) => (type === "text_was_thought" ? this.addMark() : this.add(type, text)),
      options.before,
    );
    this.parser = createParser({
      maxBufferSize: EVENT_LIMIT,
      onEvent: (event) => this.read(event.data),
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") {
          throw new ModelError("protocol", "The model endpoint sent a line without end.");
        }
      },
    });
  }

  /** A finish_reason has come: only usage and the end are still due. */
  get finishing(): boolean {
    return this.finishReason !== undefined;
  }

  /** Chunks wait to be taken. */
  get pending(): boolean {
    return this.out.length > 0;
  }

  feed(bytes: Uint8Array): void {
    const text = this.decoder.decode(bytes, { stream: true });
    const before = this.events;
    this.parser.feed(text);
    if (this.events !== before) this.openLines = 0;
    else if (!this.done) this.countLines(text);
  }

  /** The chunks since the last call, or null. */
  take(): ModelChunk[] | null {
    if (this.out.length === 0) return null;
    const { out } = this;
    this.out = [];
    return out;
  }

  /** The body is over: adds what was held back, usage and `end`; throws when the reply was cut. */
  finish(): void {
    // Some endpoints end without the blank line after the last event.
    if (!this.done && this.finishReason === undefined) this.parser.feed("\n\n");
    if (!this.done && this.finishReason === undefined) {
      throw new ModelError(
        "unavailable",
        "The model endpoint cut the reply: the stream ended without an end.",
      );
    }
    this.tags.flush();
    for (const type of ["reasoning", "text"] as const) this.append(type, this.guards[type].flush());
    for (const call of this.calls.take()) this.out.push({ type: "tool_call", call });
    if (this.usage) this.out.push(this.usage);
    this.out.push({ type: "end", reason: this.finishReason ?? "stop" });
  }

  private countLines(text: string): void {
    this.openLines += text.match(/[\r\n]/gu)?.length ?? 0;
    if (this.openLines > LINES_LIMIT) {
      throw new ModelError("protocol", "The model endpoint sent lines without end and no event.");
    }
  }

  private read(data: string): void {
    if (this.done) return;
    if (data === "[DONE]") {
      this.done = true;
      return;
    }
    let event: ChatEvent | null;
    try {
      event = JSON.parse(data) as ChatEvent | null;
    } catch (error) {
      throw new ModelError("protocol", "The model endpoint sent an event that is no JSON.", { cause: error });
    }
    if (typeof event !== "object" || event === null) {
      throw new ModelError("protocol", "The model endpoint sent an event that is no object.");
    }
    this.events += 1;
    if (event.error !== undefined && event.error !== null)
      throw errorOfObject(event.error, this.options.secret);
    const choice = Array.isArray(event.choices) ? firstChoice(event.choices) : undefined;
    const delta = choice?.delta;
    if (delta) {
      const thought = delta.reasoning_content ?? delta.reasoning;
      if (typeof thought === "string") this.think(thought);
      const { content, refusal } = delta;
      if (typeof content === "string") this.say(content);
      else if (Array.isArray(content)) {
        const said = saidInParts(content);
        this.think(said.reasoning);
        this.say(said.text);
      }
      // What the model says in place of an answer is what there is to read.
      if (typeof refusal === "string") this.say(refusal);
      if (Array.isArray(delta.tool_calls)) this.calls.add(delta.tool_calls);
    }
    const reason = choice?.finish_reason;
    // "" stands for null where a server knows no other way to say that the reply goes on.
    if (typeof reason === "string" && reason !== "") this.end(reason);
    if (event.usage) this.count(event.usage);
  }

  private think(text: string): void {
    if (text === "") return;
    this.tags.useFields();
    this.add("reasoning", text);
  }

  private say(text: string): void {
    if (text !== "") this.tags.push(text);
  }

  private end(reason: string): void {
    if (reason === "insufficient_system_resource") throw errorOfObject(reason, this.options.secret, 503);
    if (reason === "error") throw errorOfObject("the reply failed", this.options.secret);
    this.finishReason ??= reason === "length" ? "length" : reason === "content_filter" ? "filter" : "stop";
  }

  private count(usage: NonNullable<ChatEvent["usage"]>): void {
    const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage;
    if (typeof promptTokens !== "number" || typeof completionTokens !== "number") return;
    this.usage = { type: "usage", promptTokens, completionTokens };
  }

  private add(type: "reasoning" | "text", text: string): void {
    if (type === "reasoning" && this.options.reasoning !== "keep") {
      if (this.options.reasoning === "drop") return;
      this.append("text", this.guards.text.push(text));
      return;
    }
    this.append(type, this.guards[type].push(text));
  }

  /**
   * The text so far was the thought. One that a model thinks anew before it goes on with an answer is no part of that; but where
   * no thought is known of what is continued, a model that begins with one has not ended it yet.
   */
  private addMark(): void {
    const { reasoning, before } = this.options;
    if (reasoning === "keep" || before !== undefined) this.out.push({ type: "text_was_thought" });
  }

  /** Neighbouring text of one read is one chunk. */
  private append(type: "reasoning" | "text", text: string): void {
    if (text === "") return;
    const last = this.out.at(-1);
    if (last?.type === type) last.text += text;
    else this.out.push({ type, text });
  }
}
