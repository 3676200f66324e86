// Refuses texts that hold a word of the operator's list.
import { readFileSync } from "node:fs";
import { wordsOf } from "../../platform/words/word-list.ts";
import { StartError } from "../../platform/start-error.ts";
import { WordMatcher } from "../../platform/words/word-matcher.ts";
import type { ContentFilter } from "../../ports/content-filter.ts";

/** Above it the index of the words takes gigabytes. */
const FILE_BYTES = 8 * 1024 * 1024;

/** Reads the list. Throws StartError when there is none in the file: a filter that lets everything pass is none. */
export function wordFilterOfFile(path: string): ContentFilter {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new StartError(`CONTENT_FILTER_WORDS cannot be read: ${(error as Error).message}`);
  }
  if (bytes.length > FILE_BYTES)
    throw new StartError(`CONTENT_FILTER_WORDS may have ${FILE_BYTES / 1024 / 1024} MiB at most: ${path}`);
  const words = wordsOf(bytes.toString("utf8"));
  if (words.length === 0) throw new StartError(`CONTENT_FILTER_WORDS has no word in it: ${path}`);
  return createWordFilter(words);
}

export function createWordFilter(words: readonly string[]): ContentFilter {
  const matcher = new WordMatcher(words);
  return {
    open(onVerdict) {
      let state: "reading" | "refused" | "over" = "reading";
      const reading = matcher.read(() => {
        if (state !== "reading") return;
        state = "refused";
        onVerdict("refused");
      });
      return {
        push(piece) {
          if (state === "reading") reading.push(piece);
        },
        pace: () => null,
        async end() {
          if (state === "reading") reading.end();
          const refused = state === "refused";
          state = "over";
          return refused ? "refused" : "allowed";
        },
        abort() {
          state = "over";
        },
      };
    },
    close: async () => {},
  };
}
