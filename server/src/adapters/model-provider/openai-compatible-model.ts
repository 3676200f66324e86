// A model behind an OpenAI-compatible address (`…/v1`): DeepSeek, OpenAI, vLLM, Ollama, llama.cpp, LM Studio and others.
import { Agent } from "undici";
import type { Config } from "../../config.ts";
import type { Logger } from "../../platform/logger.ts";
import { printable } from "../../platform/printable-text.ts";
import {
  ModelError,
  type ModelChunk,
  type ModelInfo,
  type ModelProvider,
  type ModelRequest,
  type OfferedModel,
} from "../../ports/model-provider.ts";
import { abortError } from "./abort-error.ts";
import { ChatExchange } from "./chat-exchange.ts";
import { chatCall, type EndpointManner } from "./chat-request.ts";
import { ChatStreamReader } from "./chat-stream-reader.ts";
import { autoContinuation, endpointKind, firstChatModel, isLocalEndpoint } from "./endpoint-kind.ts";
import { refusesTools, troubleOf } from "./endpoint-errors.ts";
import { authorization, ModelList } from "./model-list.ts";
import { isOffered, offeredModels } from "./offered-models.ts";
import { autoThinkingStyle, isReasoningModel } from "./thinking-style.ts";

const CONNECT_MS = 10_000;
/** A connection is kept for the pause between two messages, unless the endpoint says how long it keeps one. */
const KEPT_MS = 60_000;
const LOCAL_FIRST_TOKEN_MS = 300_000;
const HEALTH_CACHE_MS = 5_000;
/** Where all models of the endpoint are offered, its list is asked for again after so long. */
const OFFER_CACHE_MS = 60_000;

export interface EndpointOptions {
  baseUrl: string;
  model: Config["model"];
  log: Logger;
  /** Tests only: the limit for the first token; else 300 s for a local endpoint and `stallMs` for others. */
  firstTokenMs?: number;
}

/** For people: credentials and queries can be secrets. */
function shownAddress(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return origin + pathname.replace(/\/+$/u, "");
}

/** See ModelProvider for the promises; `info().name` is the configured or the first listed model. */
export class OpenAiCompatibleModel implements ModelProvider {
  private readonly options: EndpointOptions;
  private readonly baseUrl: string;
  private readonly agent = new Agent({
    connect: { timeout: CONNECT_MS },
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEPT_MS,
  });
  private readonly list: ModelList;
  private readonly local: boolean;
  private connects = 0;
  private checkedAt = -Infinity;
  /** What was complained of last; undefined while the endpoint answers. */
  private trouble: string | undefined;
  private answered = false;
  /** Models that refused a call because it offered tools. */
  private readonly withoutTools = new Set<string>();

  constructor(options: EndpointOptions) {
    this.options = options;
    this.agent.on("connect", () => (this.connects += 1));
    this.baseUrl = options.baseUrl.replace(/\/+$/, "");
    this.local = isLocalEndpoint(this.baseUrl);
    const address = { dispatcher: this.agent, baseUrl: this.baseUrl, apiKey: options.model.apiKey };
    this.list = new ModelList(address, (error) => this.listed(error));
  }

  async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk[]> {
    if (signal.aborted) throw abortError(signal);
    const model = this.modelFor(request) ?? (await this.modelOnceListed(request, signal));
    const offersTools = (request.tools?.length ?? 0) > 0;
    let begun = false;
    if (offersTools && !this.withoutTools.has(model))
      try {
        for await (const chunks of this.exchange(model, request, signal)) {
          begun = true;
          yield chunks;
        }
        return;
      } catch (error) {
        // Many servers refuse tools where the model, or its template, knows none.
        if (begun || !refusesTools(error)) throw error;
        this.withoutTools.add(model);
      }
    yield* this.exchange(model, offersTools ? { ...request, tools: [] } : request, signal);
  }

  private async *exchange(
    model: string,
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelChunk[]> {
    const { apiKey, stallMs } = this.options.model;
    const { body, reading } = chatCall(request, this.manner(model));
    const url = new URL(`${this.baseUrl}/chat/completions`);
    const exchange = new ChatExchange({
      dispatcher: this.agent,
      connects: () => this.connects,
      origin: url.origin,
      path: url.pathname + url.search,
      headers: { "content-type": "application/json", accept: "text/event-stream", ...authorization(apiKey) },
      body: JSON.stringify(body),
      firstTokenMs:
        this.options.firstTokenMs ?? (this.local ? Math.max(LOCAL_FIRST_TOKEN_MS, stallMs) : stallMs),
      stallMs,
      reader: new ChatStreamReader({ ...reading, secret: apiKey }),
      secret: apiKey,
    });
    const onAbort = (): void => exchange.abort(abortError(signal));
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      for (let chunks = await exchange.next(); chunks; chunks = await exchange.next()) {
        if (signal.aborted) throw abortError(signal);
        yield chunks;
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
      // A consumer that stops reading needs no further tokens.
      exchange.abort(new DOMException("The reply is no longer read.", "AbortError"));
    }
  }

  info(id = ""): ModelInfo {
    const { model } = this.options;
    const name = this.chosen(id) ?? this.modelFor({ purpose: "chat", thinking: false }) ?? "";
    const thinksElsewhere = name !== id && model.thinkingName !== null;
    const manner = this.manner(name);
    const own = this.list.models?.find((listed) => listed.id === name)?.max_model_len;
    const asked = manner.style !== "none" && (model.thinkingStyle !== "auto" || isReasoningModel(name));
    return {
      name: printable(name) || new URL(this.baseUrl).host,
      kind: "endpoint",
      contextTokens: Math.min(model.contextTokens, typeof own === "number" ? own : Infinity),
      thinking: thinksElsewhere || asked || isReasoningModel(name),
      continuation: manner.continuation,
      address: shownAddress(this.baseUrl),
      ...(this.trouble === undefined ? {} : { trouble: this.trouble }),
    };
  }

  offered(): readonly OfferedModel[] {
    const { offered } = this.options.model;
    const now = performance.now();
    if (offered === "*" && now - this.checkedAt > OFFER_CACHE_MS) {
      this.checkedAt = now;
      void this.list.refresh();
    }
    return offeredModels(offered, this.list.models);
  }

  async health(): Promise<"ok" | "degraded"> {
    const now = performance.now();
    if (now - this.checkedAt > HEALTH_CACHE_MS) {
      this.checkedAt = now;
      await this.list.refresh();
    }
    return this.trouble !== undefined ? "degraded" : "ok";
  }

  async close(): Promise<void> {
    this.list.close();
    await this.agent.destroy();
  }

  /** The id where it names an offered model; null where it does not; undefined while only the endpoint's list can tell. */
  private chosen(id: string): string | null | undefined {
    if (id === "") return null;
    const offered = isOffered(this.options.model.offered, this.list.models, id);
    return offered === undefined ? undefined : offered ? id : null;
  }

  /** The model's name for a request; undefined while it must come from the endpoint's list. */
  private modelFor(request: Pick<ModelRequest, "purpose" | "thinking" | "model">): string | undefined {
    const chosen = this.chosen(request.model ?? "");
    if (chosen !== null) return chosen;
    const { name, titleName, thinkingName, coderName } = this.options.model;
    const special =
      request.purpose === "title"
        ? titleName
        : ((request.thinking ? thinkingName : null) ?? (request.purpose === "coder" ? coderName : null));
    return special ?? name ?? firstChatModel(this.list.models ?? [])?.id;
  }

  private async modelOnceListed(request: ModelRequest, signal: AbortSignal): Promise<string> {
    await Promise.race([
      this.list.refresh(),
      new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true })),
    ]);
    if (signal.aborted) throw abortError(signal);
    const model = this.modelFor(request);
    if (model !== undefined) return model;
    const { error } = this.list;
    if (error instanceof ModelError) throw error;
    throw new ModelError(
      "unavailable",
      error?.message ?? "The model endpoint lists no model that writes text; set MODEL_NAME.",
    );
  }

  private manner(model: string): EndpointManner {
    const { thinkingStyle, continuation } = this.options.model;
    const kind = endpointKind(this.baseUrl, this.list.models);
    return {
      kind,
      local: this.local,
      model,
      style: thinkingStyle === "auto" ? autoThinkingStyle(kind, model) : thinkingStyle,
      continuation: continuation === "auto" ? autoContinuation(kind) : continuation,
    };
  }

  private listed(error?: Error): void {
    const { log, model } = this.options;
    const endpoint = new URL(this.baseUrl).host;
    if (error !== undefined) {
      const trouble = troubleOf(error, model.apiKey !== null);
      if (trouble !== this.trouble) {
        log.warn({ endpoint, reason: error.message }, `the model endpoint ${trouble}`);
      }
      this.trouble = trouble;
      return;
    }
    if (this.trouble !== undefined || !this.answered) {
      log.info({ endpoint, model: this.info().name }, "the model endpoint answers");
    }
    this.checkedAt = performance.now();
    this.answered = true;
    this.trouble = undefined;
  }
}
