// Excel 97 to 2003: each sheet under its name, rows as lines.
import { type CellObject, read } from "@e965/xlsx";
import { openCompoundFile } from "./compound-file.ts";
import { orCorrupt } from "./corrupt.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { kindOf, numberText } from "./number-formats.ts";
import { ReadingError } from "./reading-error.ts";
import { RowText } from "./row-text.ts";
import type { TextSink } from "./text-sink.ts";

export async function readXls(input: InputFile, sink: TextSink): Promise<void> {
  await orCorrupt(() => {
    const file = openCompoundFile(input);
    if (file.stream("Workbook") === null && file.stream("Book") === null) {
      throw new ReadingError(40_008, "no workbook in it");
    }
    const workbook = openWorkbook(file.bytes);
    const from1904 = workbook.Workbook?.WBProps?.date1904 === true;
    for (const name of workbook.SheetNames) {
      sink.line(name);
      const rows = workbook.Sheets[name]?.["!data"] ?? [];
      // Sparse: a cell far below does not cost the rows between.
      rows.forEach((cells) => writeRow(cells ?? [], from1904, sink));
      sink.write("\n");
    }
  });
}

function openWorkbook(bytes: Buffer) {
  try {
    return read(bytes, { type: "buffer", dense: true, cellFormula: false, cellHTML: false, cellNF: true });
  } catch (error) {
    if (String(error).includes("password")) throw new ReadingError(40_004, "a password");
    throw error;
  }
}

function writeRow(cells: readonly CellObject[], from1904: boolean, sink: TextSink): void {
  const row = new RowText();
  let column = 0;
  cells.forEach((cell, at) => {
    row.skip(at - column);
    column = at + 1;
    row.add(textOf(cell, from1904));
  });
  const line = row.take();
  if (line !== "") sink.line(line);
}

function textOf({ t: type, v: value, z: format, w: shown }: CellObject, from1904: boolean): string {
  if (type === "e") return shown ?? "";
  if (type === "b") return value === true ? "TRUE" : "FALSE";
  if (type === "n" && value !== undefined) {
    const kind = typeof format === "string" ? kindOf(format) : shownKind(shown);
    return numberText(Number(value), kind, from1904) ?? String(value);
  }
  return value === undefined ? "" : String(value);
}

/** A date of the East Asian editions has no format here, and is shown as one of the others. */
function shownKind(shown: string | undefined): "day" | null {
  return /^\d+\/\d+\/\d+$/.test(shown ?? "") ? "day" : null;
}
