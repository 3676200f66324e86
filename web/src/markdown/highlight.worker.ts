import hljs from "highlight.js/lib/core";
import { findLanguage } from "./highlight-languages.ts";
import { colouredChunks } from "./coloured-chunks.ts";
import type { HighlightAnswer, HighlightRequest } from "./highlight-messages.ts";

addEventListener("message", (event: MessageEvent<HighlightRequest>) => {
  void answer(event.data).then((result) => postMessage(result));
});

async function answer({ id, language, chunks }: HighlightRequest): Promise<HighlightAnswer> {
  const found = findLanguage(language);
  if (found === null) return { id, runs: null };
  if (hljs.getLanguage(found.name) === undefined)
    hljs.registerLanguage(found.name, (await found.load()).default);
  const markup = hljs.highlight(chunks.join(""), { language: found.name, ignoreIllegals: true }).value;
  return { id, runs: colouredChunks(markup, chunks) };
}
