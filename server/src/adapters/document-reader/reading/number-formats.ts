// Which numbers of a workbook are days or lengths of time.
import { isOfLength, type TimeKind } from "./day-text.ts";
import { attribute, readXml } from "./xml-parts.ts";
import type { ZipArchive } from "./zip-archive.ts";

const builtInDates = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 47, 50, 57]);
/** [h]:mm:ss */
const builtInLength = 46;

/** What each cell style shows, by its number. */
export async function timeStyles(archive: ZipArchive, part: string): Promise<TimeKind[]> {
  const own = new Map<number, string>();
  const styles: TimeKind[] = [];
  let inCells = false;
  await readXml(archive, part, {
    open(name, attributes) {
      if (name === "numFmt") {
        own.set(Number(attribute(attributes, "numFmtId")), attribute(attributes, "formatCode") ?? "");
      } else if (name === "cellXfs") inCells = true;
      else if (name === "xf" && inCells) {
        const id = Number(attribute(attributes, "numFmtId"));
        const format = own.get(id);
        styles.push(format === undefined ? builtInKind(id) : kindOf(format));
      }
    },
    close(name) {
      if (name === "cellXfs") inCells = false;
    },
  });
  return styles;
}

/** "yyyy\-mm\-dd" → true; text in quotes, colours and conditions do not count. */
function isDateFormat(format: string): boolean {
  return /[dmyhs]/i.test(format.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, ""));
}

function kindOf(format: string): TimeKind {
  if (isOfLength(format)) return "length";
  return isDateFormat(format) ? "day" : null;
}

function builtInKind(id: number): TimeKind {
  if (id === builtInLength) return "length";
  return builtInDates.has(id) ? "day" : null;
}
