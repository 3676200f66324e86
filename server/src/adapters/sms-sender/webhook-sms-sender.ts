// The operator's own gateway for text messages: one signed POST for each code (docs/decisions/0052-sms-webhook.md).
import { createHmac, randomUUID } from "node:crypto";
import { Agent } from "undici";
import { codeOf } from "../../platform/error-words.ts";
import { codeText } from "../../platform/code-texts.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CodeText, SmsSender } from "../../ports/sms-sender.ts";

/** A page waits for the answer. */
const TIMEOUT_MS = 10_000;

export interface WebhookOptions {
  url: string;
  secret: string;
  brandName: string;
  clock: Clock;
  /** Milliseconds; shorter in tests. */
  timeoutMs?: number;
}

/** Why a message was not handed over, without the number or the code. */
class NotSent extends Error {}

/** `whsec_` and base64, as the standard writes keys; any other text is the key itself. */
function keyOf(secret: string): Buffer {
  return secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret);
}

/** The headers of Standard Webhooks 1.0: HMAC-SHA-256 over `{id}.{timestamp}.{body}`. */
function signedHeaders(key: Buffer, id: string, atSecs: number, body: string): Record<string, string> {
  const signature = createHmac("sha256", key).update(`${id}.${atSecs}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(atSecs),
    "webhook-signature": `v1,${signature}`,
  };
}

/**
 * Asks once. Any 2xx is a success; everything else throws: another status, a redirect, silence of ten seconds, a
 * connection that breaks. The gateway's answer is not read.
 */
export class WebhookSmsSender implements SmsSender {
  readonly kind = "webhook";
  readonly #url: URL;
  readonly #key: Buffer;
  readonly #options: WebhookOptions;
  readonly #timeoutMs: number;
  readonly #agent: Agent;

  constructor(options: WebhookOptions) {
    this.#url = new URL(options.url);
    this.#key = keyOf(options.secret);
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.#agent = new Agent({ connect: { timeout: this.#timeoutMs }, allowH2: false });
  }

  async sendCode({ to, code, scenario, locale }: CodeText): Promise<void> {
    const { brandName, clock } = this.#options;
    const text = codeText(code, brandName, locale);
    const body = JSON.stringify({ to, code, scenario, locale, text });
    const answer = await this.#agent
      .request({
        origin: this.#url.origin,
        path: this.#url.pathname + this.#url.search,
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...signedHeaders(this.#key, randomUUID(), Math.floor(clock.now() / 1000), body),
        },
        body,
        signal: AbortSignal.timeout(this.#timeoutMs),
      })
      .catch((error: unknown) => {
        throw new NotSent(`the SMS gateway: ${codeOf(error) ?? (error as Error).name}`);
      });
    const { statusCode } = answer;
    // A gateway that sends a long answer is left with it.
    await answer.body.dump({ limit: 64 * 1024 }).catch(() => {});
    if (statusCode < 200 || statusCode > 299) throw new NotSent(`the SMS gateway answered ${statusCode}`);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}
