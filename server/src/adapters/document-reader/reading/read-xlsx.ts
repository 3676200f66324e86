// Excel: each sheet under its name, rows as lines, the values that formulas gave; where they gave none yet, the formulas. What is drawn
// on a sheet follows it.
import { orCorrupt } from "./corrupt.ts";
import { readShapes } from "./drawn-text.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { type NumberKind, numberText, styleKinds } from "./number-formats.ts";
import { mainPart, relationsOf } from "./package-relations.ts";
import { ReadingError } from "./reading-error.ts";
import { RowText } from "./row-text.ts";
import type { TextSink } from "./text-sink.ts";
import { attribute, readXml } from "./xml-parts.ts";
import { ZipArchive } from "./zip-archive.ts";

interface Workbook {
  sheets: { name: string; id: string }[];
  from1904: boolean;
  strings: string[];
  styles: NumberKind[];
}

export async function readXlsx(input: InputFile, sink: TextSink): Promise<void> {
  const archive = await ZipArchive.open(input);
  await orCorrupt(async () => {
    const main = await mainPart(archive, "xl/workbook.xml");
    const relations = await relationsOf(archive, main);
    const partOf = (kind: string) =>
      relations.find((one) => one.kind === kind && archive.has(one.target))?.target;
    const workbook: Workbook = { sheets: [], from1904: false, strings: [], styles: [] };
    await readWorkbook(archive, main, workbook);
    const strings = partOf("sharedStrings");
    if (strings !== undefined) workbook.strings = await sharedStrings(archive, strings);
    const styles = partOf("styles");
    if (styles !== undefined) workbook.styles = await styleKinds(archive, styles);
    for (const { name, id } of workbook.sheets) {
      const part = relations.find((one) => one.id === id && one.kind === "worksheet")?.target;
      if (part === undefined) continue;
      sink.line(name);
      await readSheet(archive, part, workbook, sink);
      for (const { kind, target } of await relationsOf(archive, part))
        if (kind === "drawing" && archive.has(target)) await readShapes(archive, target, sink);
      sink.write("\n");
    }
  });
}

async function readWorkbook(archive: ZipArchive, part: string, workbook: Workbook): Promise<void> {
  await readXml(archive, part, {
    open(name, attributes) {
      if (name === "sheet") {
        workbook.sheets.push({
          name: attribute(attributes, "name") ?? "",
          id: attributes["r:id"] ?? attribute(attributes, "id") ?? "",
        });
      } else if (name === "workbookPr") {
        workbook.from1904 = ["1", "true"].includes(attribute(attributes, "date1904") ?? "");
      }
    },
  });
}

/** The texts that cells name by their number. Phonetic readings are left out. */
async function sharedStrings(archive: ZipArchive, part: string): Promise<string[]> {
  const strings: string[] = [];
  let text = "";
  let inText = false;
  let phonetic = false;
  await readXml(archive, part, {
    open(name) {
      if (name === "si") text = "";
      else if (name === "rPh") phonetic = true;
      else if (name === "t") inText = !phonetic;
    },
    text(piece) {
      if (inText) text += piece;
    },
    close(name) {
      if (name === "si") strings.push(unescaped(text));
      else if (name === "rPh") phonetic = false;
      else if (name === "t") inText = false;
    },
  });
  return strings;
}

/** Characters that XML cannot hold, or may change, are written as "_x000D_". */
function unescaped(text: string): string {
  return text.replaceAll(/_x([\da-f]{4})_/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

async function readSheet(
  archive: ZipArchive,
  part: string,
  workbook: Workbook,
  sink: TextSink,
): Promise<void> {
  const row = new RowText();
  let column = 0;
  let cell: { type: string; kind: NumberKind } = { type: "", kind: null };
  let value = "";
  let inValue = false;
  let phonetic = false;
  let formula = "";
  let inFormula = false;
  await readXml(archive, part, {
    open(name, attributes) {
      if (name === "row") column = 0;
      else if (name === "c") {
        const at = columnOf(attribute(attributes, "r")) ?? column;
        row.skip(Math.max(0, at - column));
        column = at + 1;
        cell = {
          type: attribute(attributes, "t") ?? "n",
          kind: workbook.styles[Number(attribute(attributes, "s"))] ?? null,
        };
        value = "";
        formula = "";
      } else if (name === "f") inFormula = true;
      else if (name === "rPh") phonetic = true;
      else if (name === "v" || name === "t") inValue = !phonetic;
    },
    text(text) {
      if (inValue) value += text;
      else if (inFormula) formula += text;
    },
    close(name) {
      if (name === "f") inFormula = false;
      else if (name === "v" || name === "t") inValue = false;
      else if (name === "rPh") phonetic = false;
      else if (name === "c") row.add(cellText(value, cell, workbook) || uncounted(formula, cell.type));
      else if (name === "row") {
        const line = row.take();
        if (line !== "") sink.line(line);
      }
    },
  });
}

function cellText(
  value: string,
  { type, kind }: { type: string; kind: NumberKind },
  workbook: Workbook,
): string {
  if (value === "") return "";
  if (type === "s") {
    const text = workbook.strings[Number(value)];
    if (text === undefined) throw new ReadingError(40_003, "a text that is not there");
    return text;
  }
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type === "n") return numberText(Number(value), kind, workbook.from1904) ?? value;
  return unescaped(value);
}

/** A formula whose value no program has worked out yet; the value of others may be a text of nothing. */
function uncounted(formula: string, type: string): string {
  return formula === "" || type === "str" ? "" : `=${formula}`;
}

/** "C7" → 2. Null where a cell does not say where it stands. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? "")?.[0];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
