// The operator's own gateway for text messages: one signed POST for each code or notice (docs/decisions/0052-sms-webhook.md).
import { createHmac, randomUUID } from "node:crypto";
import { Agent } from "undici";
import { codeOf } from "../../platform/error-words.ts";
import { codeText } from "../../platform/code-texts.ts";
import { noticeText } from "../../platform/notice-texts.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CodeText, NoticeText, SmsSender } from "../../ports/sms-sender.ts";

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

/** Why a message was not handed over, without the number, the code or the link. */
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
    const text = codeText(code, this.#options.brandName, locale);
    await this.#post({ to, code, scenario, locale, text });
  }

  async sendNotice({ to, notice, locale }: NoticeText): Promise<void> {
    const text = noticeText(notice, this.#options.brandName, locale);
    await this.#post({ to, scenario: notice.about, link: notice.link, locale, text });
  }

  async #post(message: object): Promise<void> {
    const { clock } = this.#options;
    const body = JSON.stringify(message);
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
