// Delegates to the model there is now: the demo until an endpoint is found on this machine.
import type { Logger } from "../../platform/logger.ts";
import type { ModelChunk, ModelInfo, ModelProvider, ModelRequest } from "../../ports/model-provider.ts";

const LOOK_AGAIN_MS = 30_000;

export interface SelectModelOptions {
  fallback: ModelProvider;
  /** The base address of an endpoint on this machine, if there is one. */
  find: () => Promise<string | undefined>;
  connect: (baseUrl: string) => ModelProvider;
  log: Logger;
  lookAgainMs?: number;
}

/** Looks at once and then every 30 s until something is found; running generations stay with their model. */
export class SelectedModel implements ModelProvider {
  private readonly options: SelectModelOptions;
  private current: ModelProvider;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private readonly firstLook: Promise<void>;

  constructor(options: SelectModelOptions) {
    this.options = options;
    this.current = options.fallback;
    this.firstLook = this.look();
  }

  /** Waits for the first look only (at most 300 ms), so that a first question does not get the demo by chance. */
  async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk[]> {
    await this.firstLook;
    yield* this.current.generate(request, signal);
  }

  info(): ModelInfo {
    return this.current.info();
  }

  health(): Promise<"ok" | "degraded"> {
    return this.current.health();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.firstLook;
    await this.current.close();
    if (this.current !== this.options.fallback) await this.options.fallback.close();
  }

  private async look(): Promise<void> {
    const { find, connect, log, lookAgainMs = LOOK_AGAIN_MS } = this.options;
    let baseUrl: string | undefined;
    try {
      baseUrl = await find();
    } catch (error) {
      log.warn({ err: error }, "looking for a model endpoint failed");
    }
    if (this.closed) return;
    if (baseUrl === undefined) {
      this.timer = setTimeout(() => void this.look(), lookAgainMs);
      this.timer.unref();
      return;
    }
    log.info({ endpoint: baseUrl }, "found a model endpoint on this machine");
    this.current = connect(baseUrl);
  }
}
