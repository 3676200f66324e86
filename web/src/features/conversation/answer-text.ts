import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";

/** The answer as it is copied: what it cites are links; a number without a source stays as it was written. */
export function copiedAnswer(message: Pick<Message, "fragments">): string {
  const results = message.fragments.flatMap((part) => (isFragment(part, "SEARCH") ? part.results : []));
  const urls = new Map(results.map(({ cite_index, url }) => [cite_index, url]));
  return answerText(message).replace(/\[citation:([1-9]\d{0,3})\]/g, (written, number: string) => {
    const url = urls.get(Number(number));
    return url === undefined ? written : `[${number}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})`;
  });
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
