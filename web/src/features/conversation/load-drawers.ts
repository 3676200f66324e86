import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import { loadFormulasAhead } from "../../markdown/formula-loader.ts";
import { answerText } from "./answer-text.ts";
import { searchPart } from "./fragments/search-part.tsx";

/** Loads what these messages need to be drawn, while they are made and not when the first of them asks for it. */
export function loadDrawersOf(messages: readonly Pick<Message, "fragments">[]): void {
  loadFormulasAhead(messages.map(answerText));
  if (messages.some(({ fragments }) => fragments.some((part) => isFragment(part, "SEARCH"))))
    void searchPart.preload();
}
