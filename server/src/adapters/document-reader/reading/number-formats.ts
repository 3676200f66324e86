// What the numbers of a workbook mean by their formats: days, lengths of time, percentages, codes with zeros in front.
import { isOfLength, type TimeKind, timeText } from "./day-text.ts";
import { attribute, readXml } from "./xml-parts.ts";
import type { ZipArchive } from "./zip-archive.ts";

/** What a number shows beside itself; null: nothing. */
export type NumberKind = TimeKind | "percent" | { digits: number };

/** Those from 27 to 36 and from 50 on are the dates and times of the Chinese, Japanese and Korean editions. */
const builtInDates = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 47, 50, 51, 52, 53, 54, 55,
  56, 57, 58,
]);
const builtInPercents = new Set([9, 10]);
/** [h]:mm:ss */
const builtInLength = 46;

/** What each cell style shows, by its number. */
export async function styleKinds(archive: ZipArchive, part: string): Promise<NumberKind[]> {
  const own = new Map<number, string>();
  const styles: NumberKind[] = [];
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

/** "yyyy\-mm\-dd" → a day; text in quotes, colours, conditions, widths (_x) and fillings (*x) do not count. */
export function kindOf(format: string): NumberKind {
  if (isOfLength(format)) return "length";
  const bare = format.replaceAll(/"[^"]*"|\[[^\]]*\]|[\\_*]./g, "");
  if (/[dmyhs]/i.test(bare)) return "day";
  // Its sections are for numbers above zero, below, and zero.
  const [section = ""] = bare.split(";");
  if (section.includes("%")) return "percent";
  const zeros = section.replaceAll(/[- ]/g, "");
  return /^0{2,}$/.test(zeros) ? { digits: zeros.length } : null;
}

function builtInKind(id: number): NumberKind {
  if (id === builtInLength) return "length";
  if (builtInPercents.has(id)) return "percent";
  return builtInDates.has(id) ? "day" : null;
}

/** A number as its cell shows it, in full: 0.125 → "12.5%". Null where it stands for itself. */
export function numberText(value: number, kind: NumberKind, from1904: boolean): string | null {
  if (kind === null || !Number.isFinite(value)) return null;
  // 0.07 × 100 has an error in its last place.
  if (kind === "percent") return `${Number((value * 100).toPrecision(15))}%`;
  if (typeof kind === "object")
    return Number.isSafeInteger(value) && value >= 0 ? String(value).padStart(kind.digits, "0") : null;
  return timeText(value, kind, from1904);
}
