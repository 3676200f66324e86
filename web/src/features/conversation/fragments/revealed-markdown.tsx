import { StreamingMarkdown, type StreamingMarkdownProps } from "../../../markdown/streaming-markdown.tsx";
import { useReveal } from "./use-reveal.ts";

/** A text of a reply, written evenly while it grows. */
export function RevealedMarkdown({ text, streaming }: StreamingMarkdownProps) {
  return <StreamingMarkdown text={useReveal(text, streaming === true)} streaming={streaming} />;
}
