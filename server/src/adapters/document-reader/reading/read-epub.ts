// EPUB: the pages of the book in their order.
import { posix } from "node:path";
import { orCorrupt } from "./corrupt.ts";
import { createMarkupReader } from "./html-text.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { ReadingError } from "./reading-error.ts";
import type { TextSink } from "./text-sink.ts";
import { attribute, readXml } from "./xml-parts.ts";
import { ZipArchive } from "./zip-archive.ts";

export async function readEpub(input: InputFile, sink: TextSink): Promise<void> {
  const archive = await ZipArchive.open(input);
  await orCorrupt(async () => {
    const locked = await lockedParts(archive);
    for (const page of await pagesOf(archive)) {
      if (locked.has(page)) throw new ReadingError(40_004, "encrypted");
      if (!archive.has(page)) continue;
      const markup = createMarkupReader((text) => sink.write(text), { language: "xhtml" });
      for await (const piece of archive.text(page)) markup.write(piece);
      markup.end();
    }
  });
}

/** Parts that only a licence opens. Fonts are scrambled in free books, too. */
async function lockedParts(archive: ZipArchive): Promise<ReadonlySet<string>> {
  const locked = new Set<string>();
  if (!archive.has("META-INF/encryption.xml")) return locked;
  await readXml(archive, "META-INF/encryption.xml", {
    open(name, attributes) {
      if (name === "CipherReference") locked.add(decoded(attribute(attributes, "URI") ?? ""));
    },
  });
  return locked;
}

async function pagesOf(archive: ZipArchive): Promise<string[]> {
  let book = "";
  await readXml(archive, "META-INF/container.xml", {
    open(name, attributes) {
      if (name === "rootfile" && book === "") book = attribute(attributes, "full-path") ?? "";
    },
  });
  const files = new Map<string, string>();
  const spine: string[] = [];
  await readXml(archive, book, {
    open(name, attributes) {
      if (name === "item") files.set(attribute(attributes, "id") ?? "", attribute(attributes, "href") ?? "");
      else if (name === "itemref") spine.push(attribute(attributes, "idref") ?? "");
    },
  });
  return [...new Set(spine)].flatMap((id) => {
    const href = files.get(id);
    return href === undefined ? [] : [posix.join(posix.dirname(book), decoded(href))];
  });
}

/** A reference in a book may be written as part of an address. */
function decoded(href: string): string {
  try {
    return decodeURIComponent(href.split("#")[0] ?? "");
  } catch {
    return href;
  }
}
