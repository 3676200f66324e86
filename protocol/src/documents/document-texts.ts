// What a conversation says as a document, in both languages.
import type { Locale } from "../rules/edition-rules.ts";

const en = {
  untitled: "New chat",
  you: "You",
  assistant: "Assistant",
  begun: "Begun",
  changed: "Last changed",
  version: (version: number, of: number) => `version ${version} of ${of}`,
  otherBranch: (after: number | null) =>
    after === null ? "Another beginning" : `Another branch, after message ${after}`,
  thought: (secs: number | null) => (secs === null ? "Thoughts" : `Thought for ${secs} s`),
  sources: "Sources",
  files: "Files",
  stopped: "This reply was not finished.",
  running: "This reply was still being written.",
  tooLong: "This message is too long to be shown here. All of it is in sessions.json.",
  good: "Rated good",
  bad: "Rated bad",
};

const zh: typeof en = {
  untitled: "新对话",
  you: "我",
  assistant: "助手",
  begun: "开始于",
  changed: "最后更新于",
  version: (version, of) => `第 ${version} 个版本，共 ${of} 个`,
  otherBranch: (after) => (after === null ? "另一个开头" : `消息 ${after} 之后的另一个分支`),
  thought: (secs) => (secs === null ? "思考过程" : `思考用时 ${secs} 秒`),
  sources: "来源",
  files: "文件",
  stopped: "这条回复没有完成。",
  running: "导出时这条回复仍在生成。",
  tooLong: "这条消息过长，未在此显示，完整内容见 sessions.json。",
  good: "评价：好",
  bad: "评价：不好",
};

export type DocumentTexts = typeof en;

export function documentTexts(locale: Locale): DocumentTexts {
  return locale === "zh_CN" ? zh : en;
}
