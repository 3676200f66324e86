// Listeners of this process by channel.
import type { Logger } from "../logger.ts";

type Callback = (payload: string) => void;

export class LocalChannels {
  #listeners = new Map<string, Set<Callback>>();
  #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  get channels(): string[] {
    return [...this.#listeners.keys()];
  }

  /** Returns the function that ends the listening. */
  listen(channel: string, callback: Callback): () => void {
    const callbacks = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, callbacks);
    // A wrapper of its own lets one function listen twice.
    const own: Callback = (payload) => callback(payload);
    callbacks.add(own);
    return () => {
      callbacks.delete(own);
    };
  }

  /** A listener that throws is logged; the others are called all the same. */
  emit(channel: string, payload: string): void {
    for (const callback of this.#listeners.get(channel) ?? []) {
      try {
        callback(payload);
      } catch (error) {
        this.#log.error({ err: error, channel }, "a listener failed");
      }
    }
  }
}
