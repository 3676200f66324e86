// What stands in place of what an upload has not: its pictures and files.
import type { Locale } from "@plumb/protocol/rules/edition-rules";

export interface ImportTexts {
  picture(name: string): string;
  file(name: string): string;
  recording: string;
}

const texts: Record<Locale, ImportTexts> = {
  en_US: {
    picture: (name) => (name === "" ? "[Picture]" : `[Picture: ${name}]`),
    file: (name) => (name === "" ? "[File]" : `[File: ${name}]`),
    recording: "[Recording]",
  },
  zh_CN: {
    picture: (name) => (name === "" ? "[图片]" : `[图片：${name}]`),
    file: (name) => (name === "" ? "[文件]" : `[文件：${name}]`),
    recording: "[录音]",
  },
};

export function importTexts(locale: string): ImportTexts {
  return texts[locale as Locale] ?? texts.en_US;
}
