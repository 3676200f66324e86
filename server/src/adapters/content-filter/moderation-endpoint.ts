// One call of an OpenAI-compatible moderation endpoint: POST …/moderations, `results[].flagged`.
import { Agent } from "undici";
import { codeOf } from "../../platform/error-words.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Verdict } from "../../ports/content-filter.ts";

/** Of an answer that is read, in characters. */
const ANSWER_LIMIT = 256 * 1024;
/** After so many failures in a row nothing is asked for a while: a message must not wait for an endpoint that is away. */
const FAILURES = 3;
const REST_MS = 10_000;

export interface ModerationOptions {
  /** `…/v1`, or the whole address that ends in /moderations. */
  url: string;
  apiKey: string | null;
  model: string | null;
  /** For a call and its one repetition together, milliseconds. */
  timeoutMs: number;
  log: Logger;
  clock: Clock;
}

/** Why there is no verdict, without anything of the text or the key. */
class NoVerdict extends Error {}

export class ModerationEndpoint {
  readonly #options: ModerationOptions;
  readonly #agent: Agent;
  readonly #url: URL;
  #failures = 0;
  #restUntil = Number.NEGATIVE_INFINITY;

  constructor(options: ModerationOptions) {
    this.#options = options;
    this.#agent = new Agent({ connect: { timeout: options.timeoutMs }, allowH2: false });
    this.#url = new URL(options.url);
    if (!this.#url.pathname.endsWith("/moderations"))
      this.#url.pathname = `${this.#url.pathname.replace(/\/+$/u, "")}/moderations`;
  }

  /** Never throws: what fails, hangs or makes no sense is unknown. */
  async ask(text: string, signal: AbortSignal): Promise<Verdict> {
    const { log, clock, timeoutMs } = this.#options;
    if (clock.monotonic() < this.#restUntil) return "unknown";
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const flagged = await this.#call(text, limit).catch((error: unknown) => {
        // A kept connection may have been closed in this moment, or the endpoint have a hiccup.
        if (limit.aborted) throw error;
        return this.#call(text, limit);
      });
      if (this.#failures > 0) log.info("the moderation endpoint answers again");
      this.#failures = 0;
      return flagged ? "refused" : "allowed";
    } catch (error) {
      if (signal.aborted) return "unknown";
      this.#failures += 1;
      if (this.#failures === 1)
        log.warn({ reason: reasonOf(error) }, "the moderation endpoint gives no verdict");
      if (this.#failures >= FAILURES) this.#restUntil = clock.monotonic() + REST_MS;
      return "unknown";
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #call(input: string, signal: AbortSignal): Promise<boolean> {
    const { apiKey, model } = this.#options;
    const answer = await this.#agent.request({
      origin: this.#url.origin,
      path: this.#url.pathname + this.#url.search,
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(model === null ? { input } : { input, model }),
      signal,
    });
    let text = "";
    for await (const part of answer.body.setEncoding("utf8")) {
      text += String(part);
      if (text.length > ANSWER_LIMIT) throw new NoVerdict("its answer has no end");
    }
    if (answer.statusCode !== 200) throw new NoVerdict(`it answered ${answer.statusCode}`);
    return isFlagged(text);
  }
}

function isFlagged(text: string): boolean {
  let results: unknown;
  try {
    results = (JSON.parse(text) as { results?: unknown } | null)?.results;
  } catch {
    throw new NoVerdict("its answer is no JSON");
  }
  if (!Array.isArray(results) || results.length === 0) throw new NoVerdict("its answer has no results");
  const flags = results.map((result: { flagged?: unknown } | null) => result?.flagged);
  if (flags.some((flag) => typeof flag !== "boolean")) throw new NoVerdict("its answer flags nothing");
  return flags.includes(true);
}

function reasonOf(error: unknown): string {
  if (error instanceof NoVerdict) return error.message;
  return codeOf(error) ?? (error instanceof Error ? error.name : "unknown");
}
