// A GGUF file run inside the server by node-llama-cpp: one generation at a time, first come first served.
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { messageOf } from "../../platform/error-words.ts";
import type { Logger } from "../../platform/logger.ts";
import { printable } from "../../platform/printable-text.ts";
import {
  ModelError,
  type ModelChunk,
  type ModelInfo,
  type ModelProvider,
  type ModelRequest,
} from "../../ports/model-provider.ts";
import { abortError } from "./abort-error.ts";
import { requireGgufFile } from "./gguf-file.ts";
import { restoreLostSpace } from "./lost-space.ts";
import {
  loadNodeLlamaCpp,
  requireNodeLlamaCpp,
  type ChatWrapper,
  type ContextSequence,
  type HistoryItem,
  type Llama,
  type LlamaChat,
  type LlamaModel,
} from "./node-llama-cpp.ts";
import { PieceCollector } from "./piece-collector.ts";
import { TurnQueue } from "./turn-queue.ts";

const FIRST_TOKEN_MS = 300_000;

export interface EmbeddedOptions {
  path: string;
  contextTokens: number;
  stallMs: number;
  log: Logger;
  /** Default 0.7; 0 = the likeliest token each time. */
  temperature?: number;
  /** Tests only. */
  firstTokenMs?: number;
}

interface Loaded {
  llama: Llama;
  model: LlamaModel;
  chat: LlamaChat;
  sequence: ContextSequence;
  contextTokens: number;
}

/** All cores but one, which the server itself needs. Never left to the library: its own choice is far slower. */
function threadCount(): number {
  return Math.max(1, availableParallelism() - 1);
}

function historyOf({ messages, prefix }: ModelRequest): HistoryItem[] {
  const history = messages.map((message): HistoryItem => {
    if (message.role === "assistant") return { type: "model", response: [message.content] };
    // It is offered no tools, so that no result of one is among the messages of its own replies.
    return { type: message.role === "tool" ? "user" : message.role, text: message.content };
  });
  const partial: (HistoryItem & { type: "model" })["response"] = [];
  if (prefix?.reasoning) {
    const ended = prefix.answer !== "";
    partial.push({ type: "segment", segmentType: "thought", text: prefix.reasoning, ended });
  }
  if (prefix?.answer) partial.push(prefix.answer);
  return [...history, { type: "model", response: partial }];
}

/** See ModelProvider. The file is loaded in the background; a generation waits for it. */
export class EmbeddedModel implements ModelProvider {
  private readonly options: EmbeddedOptions;
  private readonly queue = new TurnQueue();
  private readonly closing = new AbortController();
  private readonly loading: Promise<Loaded>;
  private loaded: Loaded | undefined;
  private broken = false;
  /** What runs goes on from a prefix. */
  private continuing = false;

  /** Throws StartError when the file or the library is missing. */
  static async create(options: EmbeddedOptions): Promise<EmbeddedModel> {
    await requireGgufFile(options.path);
    await requireNodeLlamaCpp();
    return new EmbeddedModel(options);
  }

  private constructor(options: EmbeddedOptions) {
    this.options = options;
    this.loading = this.load();
    this.loading.catch((error: unknown) => {
      this.broken = true;
      const reason = messageOf(error);
      options.log.error({ file: basename(options.path), reason }, "the model file could not be loaded");
    });
  }

  /** Nothing runs: for tests and shutdown. */
  get idle(): boolean {
    return this.queue.idle;
  }

  async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk[]> {
    const endTurn = await this.queue.take(signal, () => abortError(signal), request.waiting);
    const stop = new AbortController();
    const pieces = new PieceCollector(request.prefix, this.limits(), () => stop.abort());
    const onAbort = (): void => pieces.fail(abortError(signal));
    const onClose = (): void => pieces.fail(new ModelError("unavailable", "The server is being stopped."));
    signal.addEventListener("abort", onAbort, { once: true });
    this.closing.signal.addEventListener("abort", onClose, { once: true });
    // The turn ends when the library has let go of the context, which can be after the abort.
    const run = this.run(request, pieces, stop.signal).finally(endTurn);
    try {
      for (let chunks = await pieces.next(); chunks; chunks = await pieces.next()) {
        if (signal.aborted) throw abortError(signal);
        yield chunks;
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.closing.signal.removeEventListener("abort", onClose);
      pieces.fail(new DOMException("The reply is no longer read.", "AbortError"));
      stop.abort();
      await run;
    }
  }

  info(): ModelInfo {
    return {
      name: printable(basename(this.options.path).replace(/\.gguf$/i, "")),
      kind: "embedded",
      contextTokens: this.loaded?.contextTokens ?? this.options.contextTokens,
      thinking: true,
      continuation: "prefix",
    };
  }

  offered(): readonly [] {
    return [];
  }

  async health(): Promise<"ok" | "degraded"> {
    return this.broken ? "degraded" : "ok";
  }

  async close(): Promise<void> {
    this.closing.abort();
    const [loaded] = await Promise.allSettled([this.loading]);
    if (loaded.status === "fulfilled") await loaded.value.llama.dispose();
  }

  private limits(): { firstMs: number; stallMs: number } {
    const { stallMs, firstTokenMs = Math.max(FIRST_TOKEN_MS, stallMs) } = this.options;
    return { firstMs: firstTokenMs, stallMs };
  }

  private async load(): Promise<Loaded> {
    const { path, contextTokens, log } = this.options;
    const began = performance.now();
    const { getLlama, LlamaChat } = await loadNodeLlamaCpp();
    const threads = threadCount();
    const llama = await getLlama({
      build: "never",
      skipDownload: true,
      gpu: false,
      maxThreads: threads,
      logLevel: "error",
      progressLogs: false,
    });
    const model = await llama.loadModel({ modelPath: path });
    const max = Math.min(contextTokens, model.trainContextSize);
    const context = await model.createContext({ contextSize: { max }, threads, sequences: 1 });
    const sequence = context.getSequence();
    const chat = new LlamaChat({ contextSequence: sequence });
    this.keepFirstSpace(chat.chatWrapper);
    this.loaded = { llama, model, chat, sequence, contextTokens: context.contextSize };
    const ms = Math.round(performance.now() - began);
    log.info(
      { file: basename(path), contextTokens: context.contextSize, threads, ms },
      "the model file is loaded",
    );
    return this.loaded;
  }

  /** A response loses white space at its beginning; one that goes on from a prefix must not, be it a space or a new line. */
  private keepFirstSpace(wrapper: ChatWrapper): void {
    const generate = wrapper.generateContextState.bind(wrapper);
    wrapper.generateContextState = (options) => {
      const state = generate(options);
      return this.continuing ? { ...state, ignoreStartText: [] } : state;
    };
  }

  /** One generation into `pieces`; never rejects. */
  private async run(request: ModelRequest, pieces: PieceCollector, signal: AbortSignal): Promise<void> {
    try {
      const { model, chat, sequence, contextTokens } = await this.loading;
      const textOf = restoreLostSpace(model, request.prefix?.answer || request.prefix?.reasoning || "");
      this.continuing = request.prefix !== undefined;
      const before = sequence.tokenMeter.getState();
      const { metadata } = await chat.generateResponse(historyOf(request), {
        signal,
        stopOnAbortSignal: true,
        // Without a bound a model that repeats itself would go on for ever.
        maxTokens: request.maxTokens ?? contextTokens,
        temperature: this.options.temperature ?? 0.7,
        topK: 40,
        topP: 0.95,
        budgets: { thoughtTokens: request.thinking ? Infinity : 0 },
        onResponseChunk: (chunk) =>
          pieces.push(chunk.segmentType === "thought" ? "reasoning" : "text", textOf(chunk)),
      });
      const after = sequence.tokenMeter.getState();
      pieces.end(metadata.stopReason === "maxTokens" ? "length" : "stop", {
        promptTokens: after.usedInputTokens - before.usedInputTokens,
        completionTokens: after.usedOutputTokens - before.usedOutputTokens,
      });
    } catch (error) {
      pieces.fail(this.failureOf(error));
    }
  }

  private failureOf(error: unknown): ModelError {
    const words = messageOf(error);
    if (this.broken) {
      return new ModelError("unavailable", `The model file could not be loaded: ${words}`, { cause: error });
    }
    const tooLong = /context (size|shift|window)|compress|too (long|small)/i.test(words);
    return new ModelError(
      tooLong ? "context_length" : "unavailable",
      `The model in the process failed: ${words}`,
      {
        cause: error,
      },
    );
  }
}
