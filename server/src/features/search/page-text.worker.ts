// A thread that reads pages, one after the other. What it takes too long for, or too much memory, ends it; whoever asked
// starts another.
import { parentPort } from "node:worker_threads";
import { articleText } from "./article-text.ts";
import { decodePage } from "./decode-page.ts";
import type { PageAnswer, PageTask } from "./page-thread.ts";

parentPort?.on("message", ({ bytes, contentType, most }: PageTask) => {
  parentPort?.postMessage(read(bytes, contentType, most));
});

// All that it takes is loaded: from now on its time is that of pages.
parentPort?.postMessage("ready");

function read(bytes: Uint8Array, contentType: string, most: number): PageAnswer {
  try {
    const characters = decodePage(bytes, contentType);
    const { text, publishedAt } = /html/iu.test(contentType)
      ? articleText(characters, most)
      : { text: characters.trim().slice(0, most), publishedAt: null };
    // What a database keeps: PostgreSQL takes no U+0000, and a cut can leave half of a pair.
    return { text: text.replaceAll("\0", "").toWellFormed(), publishedAt };
  } catch {
    // No page: whatever is wrong with it, there are others.
    return { text: "", publishedAt: null };
  }
}
