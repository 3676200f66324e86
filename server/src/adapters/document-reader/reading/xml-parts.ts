// XML of a package's parts, read as a stream of elements: entities of a document's own are never resolved, and nothing is
// ever fetched.
import { Parser } from "htmlparser2";
import { ReadingError } from "./reading-error.ts";
import type { ZipArchive } from "./zip-archive.ts";

/** Names come without their prefix, and attributes with it. */
export interface XmlHandler {
  open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

/** Deeper documents are made to harm. */
const deepest = 2000;

/** "w:p" → "p". */
function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

export async function readXml(archive: ZipArchive, part: string, handler: XmlHandler): Promise<void> {
  const parser = createXmlParser(handler);
  for await (const piece of archive.text(part)) parser.write(piece);
  parser.end();
}

function createXmlParser(handler: XmlHandler): Parser {
  let depth = 0;
  return new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > deepest) throw new ReadingError(40_007, "nested too deep");
        handler.open?.(localName(name), attributes);
      },
      onprocessinginstruction(_, text) {
        // No program that writes documents declares entities in them.
        if (text.includes("<!ENTITY")) throw new ReadingError(40_003, "entities of its own");
      },
      ontext: (text) => handler.text?.(text),
      onclosetag(name) {
        depth -= 1;
        handler.close?.(localName(name));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
}

/** The attribute of a name, with whatever prefix. */
export function attribute(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name];
  const found = Object.keys(attributes).find((one) => localName(one) === name);
  return found === undefined ? undefined : attributes[found];
}
