// Which reader an extension has. Each is loaded only in the process that needs it.
import type { InputFile } from "./input-file.ts";
import type { TextSink } from "./text-sink.ts";

/** Writes the text of a document; throws ReadingError, or TooLongError when the sink is full. */
export type DocumentReading = (input: InputFile, sink: TextSink) => void | Promise<void>;

const loaders: Readonly<Record<string, () => Promise<DocumentReading>>> = {
  html: async () => (await import("./read-html.ts")).readHtml,
  htm: async () => (await import("./read-html.ts")).readHtml,
  xhtml: async () => (await import("./read-html.ts")).readHtml,
  ipynb: async () => (await import("./read-notebook.ts")).readNotebook,
};

/** What has no reader of its own is text. */
export async function readerOf(extension: string): Promise<DocumentReading> {
  const load = Object.hasOwn(loaders, extension) ? loaders[extension] : undefined;
  return load === undefined ? (await import("./read-plain-text.ts")).readPlainText : load();
}
