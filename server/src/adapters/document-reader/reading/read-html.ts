// HTML in the encoding it names, else in the one it looks like.
import { decodedText } from "./decoded-text.ts";
import { createMarkupReader, type MarkupOptions } from "./html-text.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import type { TextSink } from "./text-sink.ts";

/** Where the HTML standard looks for a declared encoding. */
const declarationBytes = 1024;

export function readHtml(input: InputFile, sink: TextSink): void {
  readMarkup(input, sink, {});
}

/** An HTML page whose elements may close themselves. */
export function readXhtml(input: InputFile, sink: TextSink): void {
  readMarkup(input, sink, { language: "xhtml" });
}

/** A FictionBook: one XML document with its pictures inside. */
export function readFictionBook(input: InputFile, sink: TextSink): void {
  readMarkup(input, sink, { language: "xml", hidden: ["binary", "stylesheet"] });
}

/** The words of a drawing; its shapes may be words, too. */
export function readSvg(input: InputFile, sink: TextSink): void {
  readMarkup(input, sink, { language: "xml", hidden: ["script", "style", "metadata"] });
  sink.hasPictures = sink.isBlank;
}

function readMarkup(input: InputFile, sink: TextSink, options: MarkupOptions): void {
  const start = input.read(0, declarationBytes).toString("latin1");
  const declared = /<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)/i.exec(start)?.[1];
  const markup = createMarkupReader((text) => sink.write(text), options);
  for (const piece of decodedText(input, declared)) markup.write(piece);
  markup.end();
}
