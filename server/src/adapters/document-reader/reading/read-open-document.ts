// OpenDocument: texts, tables and presentations, which differ in what stands around their paragraphs.
import { orCorrupt } from "./corrupt.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { ReadingError } from "./reading-error.ts";
import { RowText } from "./row-text.ts";
import type { TextSink } from "./text-sink.ts";
import { attribute, readXml } from "./xml-parts.ts";
import { ZipArchive } from "./zip-archive.ts";

/** A cell or row that stands for many equal ones is written so often at most. */
const mostRepeats = 100;
const mostSpaces = 1000;

export async function readOpenDocument(input: InputFile, sink: TextSink): Promise<void> {
  const archive = await ZipArchive.open(input);
  await orCorrupt(async () => {
    await refuseEncrypted(archive);
    await readContent(archive, sink);
  });
}

async function refuseEncrypted(archive: ZipArchive): Promise<void> {
  if (!archive.has("META-INF/manifest.xml")) return;
  await readXml(archive, "META-INF/manifest.xml", {
    open(name) {
      if (name === "encryption-data") throw new ReadingError(40_004, "encrypted");
    },
  });
}

const numberOf = (attributes: Readonly<Record<string, string>>, name: string): number =>
  Math.max(1, Math.trunc(Number(attribute(attributes, name) ?? 1)) || 1);

async function readContent(archive: ZipArchive, sink: TextSink): Promise<void> {
  const row = new RowText();
  let text = "";
  let paragraphs = 0;
  let cells = 0;
  let hidden = 0;
  let cellRepeats = 1;
  let rowRepeats = 1;
  const flush = (): void => {
    if (text.trim() !== "") sink.line(text.trimEnd());
    text = "";
  };
  await readXml(archive, "content.xml", {
    open(name, attributes) {
      if (name === "p" || name === "h") paragraphs += 1;
      else if (name === "annotation" || name === "tracked-changes") hidden += 1;
      else if (name === "s") text += " ".repeat(Math.min(mostSpaces, numberOf(attributes, "c")));
      else if (name === "tab") text += "\t";
      else if (name === "line-break") text += "\n";
      else if (name === "table") {
        flush();
        const title = attribute(attributes, "name");
        if (title !== undefined) sink.line(title);
      } else if (name === "table-row") rowRepeats = numberOf(attributes, "number-rows-repeated");
      else if (name === "table-cell" || name === "covered-table-cell") {
        cells += 1;
        if (cells === 1) {
          cellRepeats = numberOf(attributes, "number-columns-repeated");
          text = "";
        }
      }
    },
    text(piece) {
      if (paragraphs > 0 && hidden === 0) text += piece;
    },
    close(name) {
      if (name === "p" || name === "h") {
        paragraphs -= 1;
        if (cells > 0) text += " ";
        else if (hidden === 0) flush();
      } else if (name === "annotation" || name === "tracked-changes") {
        hidden -= 1;
      } else if (name === "table-cell" || name === "covered-table-cell") {
        cells -= 1;
        if (cells > 0) return;
        if (text.trim() === "") row.skip(cellRepeats);
        else for (let left = Math.min(mostRepeats, cellRepeats); left > 0; left -= 1) row.add(text);
        text = "";
      } else if (name === "table-row" && cells === 0) {
        const line = row.take();
        if (line !== "")
          for (let left = Math.min(mostRepeats, rowRepeats); left > 0; left -= 1) sink.line(line);
      } else if (name === "page") sink.write("\n");
    },
  });
  flush();
}
