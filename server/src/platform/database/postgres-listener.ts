// LISTEN on a connection of its own, which is replaced when it breaks. Notifications in between are missed.
import pg from "pg";
import type { Logger } from "../logger.ts";
import { cutConnection } from "./cut-connection.ts";
import { LocalChannels } from "./local-channels.ts";

const retryMs = 500;
/** The connection is silent most of the time: only a query shows whether the other side still answers. */
const TIMING = { checkEveryMs: 5000, answerMs: 5000 };
const closeTimeoutMs = 1000;

export class PostgresListener {
  #options: pg.ClientConfig;
  #log: Logger;
  #channels: LocalChannels;
  #client: Promise<pg.Client> | null = null;
  #listening = new Set<string>();
  #retry: NodeJS.Timeout | undefined;
  #check: NodeJS.Timeout | undefined;
  #closed = false;
  #timing: typeof TIMING;

  /** `timing` in ms: the pause between two checks of the connection, and how long the answer may take. */
  constructor(options: pg.ClientConfig, log: Logger, timing = TIMING) {
    this.#options = options;
    this.#log = log;
    this.#timing = timing;
    this.#channels = new LocalChannels(log);
  }

  /** Resolves when the server has confirmed the LISTEN; the returned function ends it. */
  async listen(channel: string, callback: (payload: string) => void): Promise<() => void> {
    const stop = this.#channels.listen(channel, callback);
    try {
      const client = await this.#connected();
      if (!this.#listening.has(channel)) {
        await this.#query(client, listenTo(channel));
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
    clearTimeout(this.#check);
    const client = this.#client;
    this.#client = null;
    if (client === null) return;
    let timer: NodeJS.Timeout | undefined;
    try {
      const open = await client;
      timer = setTimeout(() => cutConnection(open), closeTimeoutMs);
      await open.end();
    } catch (error) {
      this.#log.debug({ err: error }, "listener was already gone");
    } finally {
      clearTimeout(timer);
    }
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
    try {
      const channels = this.#channels.channels;
      for (const channel of channels) await this.#query(client, listenTo(channel));
      this.#listening = new Set(channels);
    } catch (error) {
      cutConnection(client);
      throw error;
    }
    client.on("end", () => this.#onEnd());
    this.#scheduleCheck(client);
    return client;
  }

  /** Runs a statement; ends the connection when its answer does not come in time. */
  async #query(client: pg.Client, statement: string): Promise<void> {
    const timer = setTimeout(() => cutConnection(client), this.#timing.answerMs);
    try {
      await client.query(statement);
    } finally {
      clearTimeout(timer);
    }
  }

  #scheduleCheck(client: pg.Client): void {
    clearTimeout(this.#check);
    if (this.#closed) return;
    this.#check = setTimeout(() => {
      this.#query(client, "select 1").then(
        () => this.#scheduleCheck(client),
        (error: unknown) => {
          this.#log.warn({ err: error }, "the listening database connection does not answer");
          cutConnection(client);
        },
      );
    }, this.#timing.checkEveryMs);
  }

  #onEnd(): void {
    this.#client = null;
    this.#listening.clear();
    clearTimeout(this.#check);
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

function listenTo(channel: string): string {
  return `listen ${pg.escapeIdentifier(channel)}`;
}
