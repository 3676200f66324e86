// HTML in the encoding it names, else in the one it looks like.
import { decodedText } from "./decoded-text.ts";
import { createMarkupReader } from "./html-text.ts";
import type { InputFile } from "./input-file.ts";
import type { TextSink } from "./text-sink.ts";

/** Where the HTML standard looks for a declared encoding. */
const declarationBytes = 1024;

export function readHtml(input: InputFile, sink: TextSink): void {
  const start = input.read(0, declarationBytes).toString("latin1");
  const declared = /<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)/i.exec(start)?.[1];
  const markup = createMarkupReader((text) => sink.write(text));
  for (const piece of decodedText(input, declared)) markup.write(piece);
  markup.end();
}
