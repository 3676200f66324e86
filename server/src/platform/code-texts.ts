// What a message with a verification code says, in both languages.
import { LIMITS } from "@plumb/protocol/limits";
import type { Locale } from "@plumb/protocol/rules/edition-rules";

const MINUTES = LIMITS.verificationCodeLifeSecs / 60;

/** The text message. Chinese gateways ask for the sender's name in such brackets at its beginning. */
export function codeText(code: string, brandName: string, locale: Locale): string {
  return locale === "zh_CN"
    ? `【${brandName}】验证码：${code}，${MINUTES} 分钟内有效。请勿告知他人；如非本人操作，请忽略。`
    : `${brandName}: your verification code is ${code}. It is good for ${MINUTES} minutes. Do not share it; if you did not ask for it, ignore this message.`;
}

export interface CodeMailText {
  subject: string;
  /** Paragraphs around the code. */
  before: string;
  after: string[];
}

/** The mail with a code; the code stands between `before` and `after`, and not in the subject, which screens show locked. */
export function codeMailText(brandName: string, locale: Locale): CodeMailText {
  return locale === "zh_CN"
    ? {
        subject: `${brandName} 验证码`,
        before: "你的验证码是：",
        after: [`验证码 ${MINUTES} 分钟内有效，请勿告知他人。`, "如非本人操作，请忽略本邮件。"],
      }
    : {
        subject: `Your ${brandName} verification code`,
        before: "Your verification code is:",
        after: [
          `It is good for ${MINUTES} minutes. Do not share it with anybody.`,
          "If you did not ask for it, ignore this mail.",
        ],
      };
}
