// Word 97 to 2003.
import WordExtractor from "word-extractor";
import { openCompoundFile } from "./compound-file.ts";
import { orCorrupt } from "./corrupt.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { ReadingError } from "./reading-error.ts";
import type { TextSink } from "./text-sink.ts";

/** Flags of the file information block, and the one for a password. */
const flagsAt = 10;
const isEncrypted = 0x0100;

/** What its types leave out: as it is, quotation marks and dashes become those of ASCII. */
interface Asked {
  filterUnicode: boolean;
  includeFooters?: boolean;
  includeHeadersAndFooters?: boolean;
}
type Part = (asked: Asked) => string;
type Parts = Readonly<
  Record<"getHeaders" | "getBody" | "getTextboxes" | "getFootnotes" | "getEndnotes" | "getFooters", Part>
>;

export async function readDoc(input: InputFile, sink: TextSink): Promise<void> {
  await orCorrupt(async () => {
    const file = openCompoundFile(input);
    const main = file.stream("WordDocument");
    if (main === null) throw new ReadingError(40_008, "no Word document in it");
    if ((main.readUInt16LE(flagsAt) & isEncrypted) !== 0) throw new ReadingError(40_004, "a password");
    const document: Parts = await new WordExtractor().extract(file.bytes);
    const asWritten = { filterUnicode: false };
    const parts = [
      document.getHeaders({ ...asWritten, includeFooters: false }),
      document.getBody(asWritten),
      document.getTextboxes({ ...asWritten, includeHeadersAndFooters: false }),
      document.getFootnotes(asWritten),
      document.getEndnotes(asWritten),
      document.getFooters(asWritten),
    ];
    for (const part of parts) if (part.trim() !== "") sink.line(part.trim());
  });
}
