// LISTEN on a connection of its own, made anew when it breaks. What is told meanwhile is missed.
import pg from "pg";
import type { Logger } from "../logger.ts";
import { LocalChannels } from "./local-channels.ts";

const retryMs = 500;

export class PostgresListener {
  #options: pg.ClientConfig;
  #log: Logger;
  #channels: LocalChannels;
  #client: Promise<pg.Client> | null = null;
  #listening = new Set<string>();
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: pg.ClientConfig, log: Logger) {
    this.#options = options;
    this.#log = log;
    this.#channels = new LocalChannels(log);
  }

  /** Resolves when the server has confirmed the LISTEN; the returned function ends it. */
  async listen(channel: string, callback: (payload: string) => void): Promise<() => void> {
    const stop = this.#channels.listen(channel, callback);
    try {
      const client = await this.#connected();
      if (!this.#listening.has(channel)) {
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
        this.#listening.add(channel);
      }
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = null;
    if (client !== null)
      await client
        .then((open) => open.end())
        .catch((error: unknown) => this.#log.debug({ err: error }, "listener was already gone"));
  }

  #connected(): Promise<pg.Client> {
    this.#client ??= this.#connect().catch((error: unknown) => {
      this.#client = null;
      throw error;
    });
    return this.#client;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#options);
    client.on("notification", (message) => this.#channels.emit(message.channel, message.payload ?? ""));
    client.on("error", (error) => this.#log.warn({ err: error }, "the listening database connection broke"));
    await client.connect();
    client.on("end", () => this.#lost());
    const channels = this.#channels.channels;
    for (const channel of channels) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    this.#listening = new Set(channels);
    return client;
  }

  #lost(): void {
    this.#client = null;
    this.#listening.clear();
    if (!this.#closed) this.#scheduleRetry();
  }

  #scheduleRetry(): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.#connected().catch((error: unknown) => {
        this.#log.warn({ err: error }, "the listening database connection cannot be made yet");
        if (!this.#closed) this.#scheduleRetry();
      });
    }, retryMs);
  }
}
