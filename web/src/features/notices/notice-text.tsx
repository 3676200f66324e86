import { linkedParts } from "../../engine/site/linked-parts.ts";

/** A text in which only links are Markdown; they open beside the page. */
export function NoticeText({ text }: { text: string }) {
  return linkedParts(text).map((part, index) =>
    part.href === null ? (
      part.text
    ) : (
      <a key={index} href={part.href} target="_blank" rel="noopener noreferrer">
        {part.text}
      </a>
    ),
  );
}
