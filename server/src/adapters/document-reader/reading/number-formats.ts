// Which numbers of a workbook are dates.
import { attribute, readXml } from "./xml-parts.ts";
import type { ZipArchive } from "./zip-archive.ts";

const builtInDates = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57]);

/** Whether each cell style shows a date, by its number. */
export async function dateStyles(archive: ZipArchive, part: string): Promise<boolean[]> {
  const own = new Map<number, string>();
  const styles: boolean[] = [];
  let inCells = false;
  await readXml(archive, part, {
    open(name, attributes) {
      if (name === "numFmt") {
        own.set(Number(attribute(attributes, "numFmtId")), attribute(attributes, "formatCode") ?? "");
      } else if (name === "cellXfs") inCells = true;
      else if (name === "xf" && inCells) {
        const id = Number(attribute(attributes, "numFmtId"));
        styles.push(isDateFormat(own.get(id)) || (!own.has(id) && builtInDates.has(id)));
      }
    },
    close(name) {
      if (name === "cellXfs") inCells = false;
    },
  });
  return styles;
}

/** "yyyy\-mm\-dd" → true; text in quotes, colours and conditions do not count. */
function isDateFormat(format: string | undefined): boolean {
  return format !== undefined && /[dmyhs]/i.test(format.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, ""));
}
