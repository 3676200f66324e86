import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import { CITATION, citedNumbers } from "@plumb/protocol/rules/citation-rules";

/** What stands between backquotes, which is left alone, or a citation with the blank before it. */
const codeOrCitation = new RegExp(`(\`+)(?!\`)[^]*?(?<!\`)\\1(?!\`)|( ?)(${CITATION})`, "g");

/** The answer as it is copied: what it cites are links, as on the page; a number without a source is left out. */
export function copiedAnswer(message: Pick<Message, "fragments">): string {
  const results = message.fragments.flatMap((part) => (isFragment(part, "SEARCH") ? part.results : []));
  const urls = new Map(results.map(({ cite_index, url }) => [cite_index, url]));
  return answerText(message).replace(
    codeOrCitation,
    (whole, _fence: unknown, before: string, citation: string | undefined) => {
      if (citation === undefined) return whole;
      const links = citedNumbers(citation).flatMap((number) => {
        const url = urls.get(number);
        return url === undefined ? [] : [`[${number}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})`];
      });
      return links.length === 0 ? "" : before + links.join("");
    },
  );
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
