// Delivers a verification code by text message.
import type { CodeScenario } from "./mailer.ts";

export interface CodeText {
  /** With the country's code: `+8613812345678`. */
  to: string;
  code: string;
  scenario: CodeScenario;
  locale: "zh_CN" | "en_US";
}

/**
 * Resolves when the message was handed over; throws when it was not, or when nobody knows. Hands over at most once: a
 * repetition could send a second message. Only the outbox logs the code: that is its purpose.
 */
export interface SmsSender {
  readonly kind: "webhook" | "outbox";
  sendCode(text: CodeText): Promise<void>;
  close(): Promise<void>;
}
