// Who wrote a conversation is seen by its form.
import type { ImportKind } from "@plumb/protocol/wire/imports";
import type { ImportTexts } from "./import-texts.ts";
import { isChatGpt, readChatGpt } from "./read-chatgpt.ts";
import { isOpenWebUi, readOpenWebUi } from "./read-open-webui.ts";
import { isPlumb, readPlumb } from "./read-plumb.ts";
import type { SourceConversation } from "./source-conversation.ts";

export interface SourceReader {
  kind: ImportKind;
  /** True for a value of its form. */
  is(value: unknown): boolean;
  /** `now` in unix ms. */
  read(value: unknown, now: number, texts: ImportTexts): SourceConversation;
}

const readers: readonly SourceReader[] = [
  { kind: "plumb", is: isPlumb, read: readPlumb },
  { kind: "chatgpt", is: isChatGpt, read: readChatGpt },
  { kind: "open_webui", is: isOpenWebUi, read: readOpenWebUi },
];

/** Null for a form that nobody of whom we know writes. */
export function readerOf(value: unknown): SourceReader | null {
  return readers.find((reader) => reader.is(value)) ?? null;
}
