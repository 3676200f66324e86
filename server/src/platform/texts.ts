// The server's own texts, in both languages.
import type { TipCategory } from "@plumb/protocol/conversation/fragment";
import type { Locale } from "@plumb/protocol/rules/edition-rules";

type Text = Readonly<Record<Locale, string>>;

/** The text of a hint or toast, by its finish_reason (wire-contract.md §18.3). */
const finishReasons = {
  input_exceeds_limit: {
    en_US: "The message you sent is too long. Please modify it and resend.",
    zh_CN: "内容过长，请精简后重新发送。",
  },
  context_length_exceeded: {
    en_US: "This chat has reached its length limit. Please start a new chat.",
    zh_CN: "对话长度已达上限，请新建对话。",
  },
  generation_err: { en_US: "Server is temporarily unavailable.", zh_CN: "服务暂时不可用。" },
  server_busy: { en_US: "Server busy, please try again later.", zh_CN: "服务繁忙，请稍后重试。" },
  rate_limit_reached: {
    en_US: "You are sending messages too frequently. Please wait a moment before sending again.",
    zh_CN: "发送太快了，请稍等片刻再发送。",
  },
  timeout: { en_US: "The reply timed out. Please try again.", zh_CN: "回复超时，请重试。" },
  content_filter: {
    en_US: "The message was withdrawn for content security reasons.",
    zh_CN: "出于内容安全原因，该消息已被撤回。",
  },
  search_failed: { en_US: "Web search failed. Answering without it.", zh_CN: "联网搜索失败，将直接作答。" },
} as const satisfies Record<string, Text>;

/** What a tip under an answer says, by its category (wire-contract.md §3.4 TIP). */
const riskTips = {
  GENERAL: {
    en_US: "This content is AI-generated, for reference only.",
    zh_CN: "本内容由 AI 生成，仅供参考。",
  },
  FINANCE: {
    en_US: "This content is AI-generated, for reference only, and is no investment advice.",
    zh_CN: "本内容由 AI 生成，仅供参考，不构成投资建议。",
  },
  LEGAL: {
    en_US: "This content is AI-generated, for reference only. Ask a lawyer about your own case.",
    zh_CN: "本内容由 AI 生成，仅供参考，具体问题请咨询专业律师。",
  },
  MEDICAL: {
    en_US: "This content is AI-generated, for reference only. See a doctor about your health.",
    zh_CN: "本内容由 AI 生成，仅供参考，如有不适请及时就医。",
  },
  PROFANITY: {
    en_US: "This content is AI-generated, for reference only, and may contain offensive language.",
    zh_CN: "本内容由 AI 生成，仅供参考，其中可能含有冒犯性用语。",
  },
} as const satisfies Record<TipCategory, Text>;

export type FinishReason = keyof typeof finishReasons;

/** The text of a hint or toast in the reply's language. */
export function finishReasonText(reason: FinishReason, locale: Locale): string {
  return finishReasons[reason][locale];
}

/** The words of a tip in the reply's language. */
export function riskTipText(category: TipCategory, locale: Locale): string {
  return riskTips[category][locale];
}
