import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import { isUnseen } from "@plumb/protocol/rules/one-line";
import { linkedCitations } from "@plumb/protocol/rules/linked-citations";

/** The answer as it is copied: what it cites are links, as on the page; a number without a source is left out. */
export function copiedAnswer(message: Pick<Message, "fragments">): string {
  const results = message.fragments.flatMap((part) => (isFragment(part, "SEARCH") ? part.results : []));
  return linkedCitations(
    answerText(message),
    new Map(results.map(({ cite_index, url }) => [cite_index, url])),
  );
}

/** Whether anything of an answer can be seen. */
export function hasAnswer(message: Pick<Message, "fragments">): boolean {
  return !isUnseen(answerText(message));
}

/** The answer of a reply as Markdown: without thinking and tips. */
export function answerText(message: Pick<Message, "fragments">): string {
  return message.fragments
    .map((fragment) =>
      isFragment(fragment, "RESPONSE") || isFragment(fragment, "TEMPLATE_RESPONSE") ? fragment.content : "",
    )
    .filter((text) => text !== "")
    .join("\n\n");
}
