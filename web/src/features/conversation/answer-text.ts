import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";

/** The answer of a reply as Markdown, as it is copied: without thinking and tips. */
export function answerText(message: Pick<Message, "fragments">): string {
  return message.fragments
    .map((fragment) =>
      isFragment(fragment, "RESPONSE") || isFragment(fragment, "TEMPLATE_RESPONSE") ? fragment.content : "",
    )
    .filter((text) => text !== "")
    .join("\n\n");
}
