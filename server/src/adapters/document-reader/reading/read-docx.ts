// Word: its headers, the text with the numbers of its lists, its tables, diagrams, footnotes, endnotes and footers.
import { orCorrupt } from "./corrupt.ts";
import { DocxNumbering } from "./docx-numbering.ts";
import { FormField } from "./form-field.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { MathText } from "./math-text.ts";
import { NoteMarks } from "./note-marks.ts";
import { mainPart, relationsOf } from "./package-relations.ts";
import { ParagraphProperties } from "./paragraph-properties.ts";
import type { TextSink } from "./text-sink.ts";
import { shownIn, symbolOf } from "./symbol-fonts.ts";
import { attribute, readXml } from "./xml-parts.ts";
import { ZipArchive } from "./zip-archive.ts";

export async function readDocx(input: InputFile, sink: TextSink): Promise<void> {
  const archive = await ZipArchive.open(input);
  await orCorrupt(async () => {
    const main = await mainPart(archive, "word/document.xml");
    const relations = await relationsOf(archive, main);
    const of = (kind: string) => relations.filter((one) => one.kind === kind).map(({ target }) => target);
    const kindsBehind = ["diagramData", "footnotes", "endnotes", "footer"];
    const parts = [...of("header"), main, ...kindsBehind.flatMap(of)];
    const existing = (kind: string) => of(kind).find((part) => archive.has(part));
    const numbering = await DocxNumbering.read(archive, {
      numbering: existing("numbering"),
      styles: existing("styles"),
    });
    const marks = new NoteMarks();
    for (const part of parts)
      if (part === main || archive.has(part)) await readStory(archive, { part, numbering, marks }, sink);
  });
}

const idOf = (attributes: Readonly<Record<string, string>>): string => attribute(attributes, "id") ?? "";

const symbolAt = (attributes: Readonly<Record<string, string>>): string =>
  symbolOf(attribute(attributes, "font") ?? "", Number.parseInt(attribute(attributes, "char") ?? "", 16));

/** Empty cells may not fill a line with tabs. */
const mostDue = 256;

/** What stands elsewhere, too: the second of two alternatives, and what was moved while changes are tracked, where it was. */
const twice = new Set(["Fallback", "moveFrom"]);

/** One run of paragraphs. */
async function readStory(
  archive: ZipArchive,
  { part, numbering, marks }: { part: string; numbering: DocxNumbering; marks: NoteMarks },
  sink: TextSink,
): Promise<void> {
  const properties = new ParagraphProperties();
  const field = new FormField();
  // What stands before the text of a paragraph, which may have none.
  let number = "";
  let inText = 0;
  let hidden = 0;
  let cells = 0;
  // Over how many columns each of them stands.
  const spans: number[] = [];
  let tabStops = 0;
  let due = "";
  let hasText = false;
  let font = "";
  let inReading = false;
  let reading = "";
  const put = (text: string): void => {
    if (hidden > 0) return;
    sink.write(due + number + text);
    due = "";
    number = "";
    hasText = true;
  };
  const math = new MathText(put);
  // Its text stands in the middle of a paragraph.
  const beginBox = (): void => {
    if (hidden === 0 && hasText && due === "") due = cells === 0 ? "\n" : " ";
  };
  await readXml(archive, part, {
    open(name, attributes) {
      if (math.open(name, attributes)) return;
      properties.open(name, attributes);
      field.open(name, attributes);
      if (name === "t") inText += 1;
      else if (twice.has(name)) hidden += 1;
      else if (name === "tc") {
        cells += 1;
        spans.push(1);
      } else if (name === "gridSpan") spans[spans.length - 1] = Number(attribute(attributes, "val")) || 1;
      // The places of tabs have the name of tabs.
      else if (name === "tabs") tabStops += 1;
      else if ((name === "tab" && tabStops === 0) || name === "ptab") put("\t");
      else if (name === "br" || name === "cr") put("\n");
      else if (name === "noBreakHyphen") put("-");
      else if (name === "footnoteReference" && hidden === 0) put(marks.refer("footnote", idOf(attributes)));
      else if (name === "endnoteReference" && hidden === 0) put(marks.refer("endnote", idOf(attributes)));
      else if (name === "footnote" || name === "endnote") due += marks.before(name, idOf(attributes));
      else if (name === "r") font = "";
      else if (name === "rFonts") font = attribute(attributes, "ascii") ?? "";
      else if (name === "sym") put(symbolAt(attributes));
      else if (name === "txbxContent") beginBox();
      // How characters are read stands before them.
      else if (name === "rt") inReading = true;
    },
    text(text) {
      if (math.text(text) || inText === 0) return;
      if (inReading) reading += text;
      else put(shownIn(font, text));
    },
    close(name) {
      if (math.close(name)) return;
      const chosen = field.close(name);
      if (chosen !== "") put(chosen);
      const paragraph = properties.close(name);
      if (paragraph !== null && hidden === 0 && !paragraph.isGone) {
        number = numbering.next(paragraph, paragraph.style);
      }
      if (name === "t") inText -= 1;
      else if (twice.has(name)) hidden -= 1;
      else if (name === "tabs") tabStops -= 1;
      else if (name === "rt") inReading = false;
      else if (name === "ruby") {
        if (reading.trim() !== "") put(`（${reading.trim()}）`);
        reading = "";
      } else if (name === "tc") {
        cells -= 1;
        const columns = Math.max(1, Math.min(mostDue, spans.pop() ?? 1));
        if (due.length < mostDue) due = due.replace(/ $/, "") + "\t".repeat(columns);
      } else if (name === "tr") due = "\n";
      // A paragraph ends a line; in a cell it is parted from the next by a space.
      else if (name === "p") {
        number = "";
        if (cells === 0) due = due === "\n" ? "\n\n" : "\n";
        else if (!due.endsWith(" ")) due += " ";
      }
    },
  });
  sink.write("\n");
}
