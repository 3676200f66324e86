// What PDFs take for granted and do not bring: the tables of Chinese, Japanese and Korean fonts, the fourteen standard fonts,
// and the decoders of scanners' formats. They lie in pdfjs-dist.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";

const folders: Readonly<Record<string, string>> = {
  cMapUrl: "cmaps/",
  standardFontDataUrl: "standard_fonts/",
  wasmUrl: "wasm/",
};
const packageUrl = import.meta.resolve("pdfjs-dist/package.json");

/** Given to pdf.js in the place of its own, which asks the network. */
export class PdfData {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    // A document may name such a table; it can name no other file.
    const name = basename(filename.endsWith(".bcmap") || kind !== "cMapUrl" ? filename : `${filename}.bcmap`);
    return new Uint8Array(await readFile(new URL(`${folders[kind] ?? ""}${name}`, packageUrl)));
  }
}
