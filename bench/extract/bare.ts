// The library of a type of documents called bare: node bare.ts EXTENSION FILE. Prints how many characters it found.
import { readFileSync } from "node:fs";
import { read, utils } from "@e965/xlsx";
import { Parser } from "htmlparser2";
import { extractText, getDocumentProxy } from "unpdf";
import WordExtractor from "word-extractor";
import { openPromise } from "yauzl";

const [extension = "", file = ""] = process.argv.slice(2);

function textOfMarkup(markup: string): string {
  let text = "";
  const parser = new Parser({ ontext: (piece) => (text += piece) });
  parser.end(markup);
  return text;
}

/** All XML of a package, part after part. */
async function textOfPackage(): Promise<string> {
  const zip = await openPromise(file);
  let text = "";
  for await (const entry of zip.eachEntry()) {
    if (!/\.(xml|xhtml)$/.test(entry.fileName)) continue;
    const pieces: Buffer[] = [];
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
    text += textOfMarkup(Buffer.concat(pieces).toString("utf8"));
  }
  return text;
}

async function text(): Promise<string> {
  switch (extension) {
    case "pdf": {
      const pdf = await getDocumentProxy(new Uint8Array(readFileSync(file)));
      return (await extractText(pdf, { mergePages: true })).text;
    }
    case "doc":
      return (await new WordExtractor().extract(file)).getBody();
    case "xls": {
      const book = read(readFileSync(file), { dense: true });
      return book.SheetNames.map((name) => utils.sheet_to_csv(book.Sheets[name] ?? {})).join("\n");
    }
    case "html":
      return textOfMarkup(readFileSync(file, "utf8"));
    case "txt":
      return readFileSync(file, "utf8");
    default:
      return textOfPackage();
  }
}

process.stdout.write(String((await text()).length));
