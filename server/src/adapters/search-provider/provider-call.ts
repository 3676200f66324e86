// One call of a search provider: JSON out, JSON in, bounded in time and bytes. The address is the operator's, and may well be
// in a private network: it does not go through the guard.
import { Agent } from "undici";
import { codeOf } from "../../platform/error-words.ts";
import { SearchError, type SearchFailure } from "../../ports/search-provider.ts";

const TIMEOUT_MS = 8000;
const ANSWER_BYTES = 2 * 1024 * 1024;
const USER_AGENT = "Plumb (self-hosted chat assistant)";

export interface ProviderRequest {
  url: URL;
  headers?: Record<string, string>;
  /** Sent as JSON with POST; absent = GET. */
  body?: object;
  /** How the provider calls its own refusals, by status, besides the usual ones. */
  failures?: Readonly<Record<number, SearchFailure>>;
}

const usualFailures: Readonly<Record<number, SearchFailure>> = {
  401: "refused",
  403: "refused",
  429: "rate_limited",
};

export class ProviderClient {
  readonly #agent: Agent;
  readonly #timeoutMs: number;

  constructor(timeoutMs = TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
    this.#agent = new Agent({ connect: { timeout: timeoutMs }, allowH2: false });
  }

  /** The parsed answer, whatever its shape. Throws SearchError, and the reason of `signal`. */
  async ask(request: ProviderRequest, signal: AbortSignal): Promise<unknown> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]);
    try {
      return await this.#call(request, limit);
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted)
        throw new SearchError("timeout", `The search provider did not answer in ${this.#timeoutMs} ms.`);
      if (error instanceof SearchError) throw error;
      const code = codeOf(error) ?? "no code";
      throw new SearchError("unavailable", `The search provider cannot be reached (${code}).`);
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #call({ url, headers, body, failures }: ProviderRequest, signal: AbortSignal): Promise<unknown> {
    const answer = await this.#agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: body === undefined ? "GET" : "POST",
      headers: {
        accept: "application/json",
        "user-agent": USER_AGENT,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    });
    const { statusCode } = answer;
    if (statusCode !== 200) {
      // A short answer is read, so that the connection is kept.
      await answer.body.dump({ limit: 16 * 1024, signal });
      const failure = failures?.[statusCode] ?? usualFailures[statusCode] ?? "unavailable";
      throw new SearchError(failure, `The search provider answered ${statusCode}.`);
    }
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > ANSWER_BYTES) throw new SearchError("protocol", "The search provider's answer is too long.");
      pieces.push(piece);
    }
    try {
      return JSON.parse(Buffer.concat(pieces).toString("utf8")) as unknown;
    } catch {
      throw new SearchError("protocol", "The search provider answered with something other than JSON.");
    }
  }
}
