// OpenDocument: texts, tables and presentations, which differ in what stands around their paragraphs.
import { orCorrupt } from "./corrupt.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { OdfNumbers } from "./odf-numbers.ts";
import { ReadingError, TooLongError } from "./reading-error.ts";
import { RowText } from "./row-text.ts";
import type { TextSink } from "./text-sink.ts";
import { attribute, readXml } from "./xml-parts.ts";
import { ZipArchive } from "./zip-archive.ts";

const mostSpaces = 1000;

export async function readOpenDocument(input: InputFile, sink: TextSink): Promise<void> {
  const archive = await ZipArchive.open(input);
  await orCorrupt(async () => {
    await refuseEncrypted(archive);
    const numbers = new OdfNumbers();
    if (archive.has("styles.xml")) {
      await readXml(archive, "styles.xml", {
        open: (name, attributes) => numbers.open(name, attributes),
        close: (name) => numbers.close(name),
      });
    }
    await readContent(archive, numbers, sink);
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

async function readContent(archive: ZipArchive, numbers: OdfNumbers, sink: TextSink): Promise<void> {
  const row = new RowText();
  let text = "";
  let paragraphs = 0;
  let cells = 0;
  let hidden = 0;
  let cellRepeats = 1;
  let rowRepeats = 1;
  // Of the paragraphs that others stand in the middle of, such as those of a text box or a note: what came before.
  const around: string[] = [];
  const notes: string[] = [];
  let inNotes = 0;
  let mark = "";
  const begin = (): void => {
    around.push(text);
    text = "";
  };
  /** Back to the paragraph around; the result is what stood in it. */
  const end = (): string => {
    const inner = text.trim();
    text = around.pop() ?? "";
    return hidden > 0 ? "" : inner;
  };
  const flush = (): void => {
    if (text.trim() !== "") sink.line(text.trimEnd());
    text = "";
  };
  const endParagraph = (): void => {
    paragraphs -= 1;
    const isInner = paragraphs > 0;
    if (isInner) {
      const inner = end();
      if (inner !== "" && cells + inNotes === 0) sink.line(inner);
      else if (inner !== "") text += `${text === "" ? "" : " "}${inner} `;
    } else if (cells > 0) text += " ";
    else if (hidden === 0) flush();
  };
  await readXml(archive, "content.xml", {
    open(name, attributes) {
      if (hidden === 0) numbers.open(name, attributes);
      if (name === "p" || name === "h") {
        if (paragraphs > 0) begin();
        paragraphs += 1;
        if (hidden === 0) text += numbers.next(name, attributes);
      } else if (name === "annotation" || name === "tracked-changes") hidden += 1;
      else if (name === "note") {
        begin();
        inNotes += 1;
        mark = "*";
      } else if (hidden > 0) return;
      else if (name === "s") text += " ".repeat(Math.min(mostSpaces, numberOf(attributes, "c")));
      else if (name === "tab") text += "\t";
      else if (name === "line-break") text += "\n";
      else if (name === "ruby-text") text += "（";
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
      if (hidden === 0) numbers.close(name);
      if (name === "p" || name === "h") endParagraph();
      else if (name === "annotation" || name === "tracked-changes") hidden -= 1;
      else if (name === "note") {
        inNotes -= 1;
        const note = end();
        if (note === "") return;
        notes.push(`[${mark}] ${note}`);
        text += `[${mark}]`;
      } else if (hidden > 0) return;
      else if (name === "note-citation") {
        mark = text.trim() || mark;
        text = "";
      } else if (name === "ruby-text") text += "）";
      else if (name === "table-cell" || name === "covered-table-cell") {
        cells -= 1;
        if (cells > 0) return;
        if (text.trim() === "") row.skip(cellRepeats);
        else
          for (let left = cellRepeats; left > 0; left -= 1) {
            row.add(text);
            if (row.length > sink.limit) throw new TooLongError();
          }
        text = "";
      } else if (name === "table-row" && cells === 0) {
        const line = row.take();
        // Equal rows stand there once, however many they are: the sink ends what is too long.
        if (line !== "") for (let left = rowRepeats; left > 0; left -= 1) sink.line(line);
      } else if (name === "page") sink.write("\n");
    },
  });
  flush();
  for (const note of notes) sink.line(note);
}
