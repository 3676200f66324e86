// Delivers verification codes and notices by text message.
import type { CodeScenario, Notice } from "./mailer.ts";

export interface CodeText {
  /** With the country's code: `+8613812345678`. */
  to: string;
  code: string;
  scenario: CodeScenario;
  locale: "zh_CN" | "en_US";
}

export interface NoticeText {
  /** With the country's code. */
  to: string;
  notice: Notice;
  locale: "zh_CN" | "en_US";
}

/**
 * Resolves when the message was handed over; throws when it was not, or when nobody knows. Hands over at most once: a
 * repetition could send a second message. Only the outbox logs a code: that is its purpose.
 */
export interface SmsSender {
  readonly kind: "webhook" | "outbox";
  sendCode(text: CodeText): Promise<void>;
  sendNotice(text: NoticeText): Promise<void>;
  close(): Promise<void>;
}
