// Delegates to the model there is now: an endpoint found on this machine while it lives, else the demo.
import type { Logger } from "../../platform/logger.ts";
import {
  ModelError,
  type ModelChunk,
  type ModelInfo,
  type ModelProvider,
  type ModelRequest,
  type OfferedModel,
} from "../../ports/model-provider.ts";
import { abortError } from "./abort-error.ts";

const LOOK_AGAIN_MS = 30_000;

export interface SelectModelOptions {
  fallback: ModelProvider;
  /** The base address of an endpoint on this machine, if there is one. */
  find: () => Promise<string | undefined>;
  /** Whether nothing is left at the address of an endpoint that was found. */
  isGone: (baseUrl: string) => Promise<boolean>;
  connect: (baseUrl: string) => ModelProvider;
  log: Logger;
  lookAgainMs?: number;
}

/** A model, and how many generations hold it. */
interface Choice {
  model: ModelProvider;
  /** Null: the fallback. */
  baseUrl: string | null;
  running: number;
}

/**
 * Looks at once, every 30 s, and when a generation fails: an endpoint that is gone gives way to another or to the
 * fallback. One that answers is kept. Running generations stay with their model.
 */
export class SelectedModel implements ModelProvider {
  private readonly options: SelectModelOptions;
  private readonly fallback: Choice;
  private current: Choice;
  /** Left while generations still hold them. */
  private readonly left = new Set<Choice>();
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private looking: Promise<void> | undefined;
  private readonly firstLook: Promise<void>;

  constructor(options: SelectModelOptions) {
    this.options = options;
    this.fallback = { model: options.fallback, baseUrl: null, running: 0 };
    this.current = this.fallback;
    this.firstLook = this.look();
  }

  /**
   * Waits for the first look (at most 300 ms), so that a first question does not get the demo by chance. A reply that
   * has not begun is asked once more of what takes the place of an endpoint that is gone.
   */
  async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk[]> {
    await this.firstLook;
    const choice = this.current;
    let begun = false;
    try {
      for await (const chunks of this.ask(choice, request, signal)) {
        begun = true;
        yield chunks;
      }
      return;
    } catch (error) {
      if (!(error instanceof ModelError) || error.failure !== "unavailable") throw error;
      const look = this.look();
      // What has begun must not be mixed with another model's words; the caller may continue it.
      if (begun || request.prefix !== undefined) throw error;
      await look;
      if (signal.aborted) throw abortError(signal);
      if (this.current === choice) throw error;
    }
    yield* this.ask(this.current, request, signal);
  }

  info(model?: string): ModelInfo {
    return this.current.model.info(model);
  }

  offered(): readonly OfferedModel[] {
    return this.current.model.offered();
  }

  async health(): Promise<"ok" | "degraded"> {
    await this.firstLook;
    return this.current.model.health();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.looking;
    for (const { model } of new Set([this.fallback, this.current, ...this.left])) await model.close();
  }

  private async *ask(
    choice: Choice,
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelChunk[]> {
    choice.running += 1;
    try {
      yield* choice.model.generate(request, signal);
    } finally {
      choice.running -= 1;
      if (choice.running === 0 && this.left.delete(choice)) await choice.model.close();
    }
  }

  /** Looks now, unless it is looking already. Never rejects. */
  private look(): Promise<void> {
    this.looking ??= this.choose().finally(() => {
      this.looking = undefined;
      if (this.closed) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.look(), this.options.lookAgainMs ?? LOOK_AGAIN_MS);
      this.timer.unref();
    });
    return this.looking;
  }

  private async choose(): Promise<void> {
    const { find, isGone, connect, log } = this.options;
    const { baseUrl } = this.current;
    try {
      if (baseUrl !== null && !(await isGone(baseUrl))) return;
      const found = await find();
      if (this.closed || (found ?? null) === baseUrl) return;
      if (baseUrl !== null) log.warn({ endpoint: baseUrl }, "the model endpoint on this machine is gone");
      if (found !== undefined) log.info({ endpoint: found }, "found a model endpoint on this machine");
      await this.replace(
        found === undefined ? this.fallback : { model: connect(found), baseUrl: found, running: 0 },
      );
    } catch (error) {
      log.warn({ err: error }, "looking for a model endpoint failed");
    }
  }

  private async replace(next: Choice): Promise<void> {
    const before = this.current;
    this.current = next;
    if (before === this.fallback) return;
    if (before.running > 0) this.left.add(before);
    else await before.model.close();
  }
}
