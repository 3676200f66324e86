// A call to the model that begins while its turn is committed: the wait for the disk and the wait for the model are one.
import type { ModelChunk, ModelProvider, ModelRequest } from "../../ports/model-provider.ts";

export class EarlyCall {
  readonly request: ModelRequest;
  readonly #abort = new AbortController();
  readonly #chunks: AsyncIterator<ModelChunk[]>;
  readonly #first: Promise<IteratorResult<ModelChunk[]>>;

  constructor(model: ModelProvider, request: ModelRequest) {
    this.request = request;
    this.#chunks = model.generate(request, this.#abort.signal)[Symbol.asyncIterator]();
    this.#first = this.#chunks.next();
    // Whoever takes the chunks learns of it; after an abort nobody does.
    this.#first.catch(() => {});
  }

  /**
   * Resolves when the request has left. undici looks at a kept connection for one turn of the event loop before it writes on
   * it; a commit of SQLite holds that turn up until it is done.
   */
  async sent(): Promise<void> {
    for (let turns = 0; turns < 2; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** The turn was not stored: what the model says is for nobody. */
  abort(): void {
    this.#abort.abort();
  }

  /** What the model gives, until its end or an abort of `signal`. To be taken once. */
  async *take(signal: AbortSignal): AsyncGenerator<ModelChunk[]> {
    const onAbort = (): void => this.#abort.abort(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      for (let next = await this.#first; next.done !== true; next = await this.#chunks.next()) {
        yield next.value;
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
      await this.#chunks.return?.();
    }
  }
}
