import hljs from "highlight.js/lib/core";
import { findLanguage } from "./highlight-languages.ts";
import { colouredChunks, withLongEnds, withoutLongEnds } from "./coloured-chunks.ts";
import type { HighlightAnswer, HighlightRequest } from "./highlight-messages.ts";

addEventListener("message", (event: MessageEvent<HighlightRequest>) => {
  void answer(event.data).then((result) => postMessage(result));
});

async function answer({ id, language, chunks }: HighlightRequest): Promise<HighlightAnswer> {
  const found = findLanguage(language);
  if (found === null) return { id, runs: null };
  if (hljs.getLanguage(found.name) === undefined)
    hljs.registerLanguage(found.name, (await withNetwork(found.load)).default);
  const short = chunks.map(withoutLongEnds);
  const markup = hljs.highlight(short.join(""), { language: found.name, ignoreIllegals: true }).value;
  const runs = colouredChunks(markup, short);
  return { id, runs: runs.map((coloured, index) => withLongEnds(coloured, chunks[index] ?? "")) };
}

/** Loads again when the network is back; with the network there it fails for good. */
async function withNetwork<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (navigator.onLine) throw error;
      await new Promise((resolve) => addEventListener("online", resolve, { once: true }));
    }
  }
}
