// What the reading of a file may cost, before anything of it is known but its name and size.
import { extensionOf } from "@plumb/protocol/rules/upload-rules";

const KIB = 1024;

/** Formats whose readers compute: a small file of them can take long. All others are text as it stands. */
const COMPUTED: ReadonlySet<string> = new Set([
  ..."pdf doc docx odt rtf epub mobi azw3 fb2 xls xlsx ods ppt pptx odp ipynb html htm xhtml svg".split(" "),
  ..."png jpg jpeg gif webp bmp apng ico avif".split(" "),
]);

/**
 * The weight of the job (JobsTable): 0 for text of up to 256 KiB, 1 for other formats of up to 16 KiB, and one more for each
 * time that the file is four times as large.
 */
export function readingWeight(name: string, bytes: number): number {
  return COMPUTED.has(extensionOf(name)) ? 1 + fourfolds(bytes, 16 * KIB) : fourfolds(bytes, 256 * KIB);
}

/** How often `unit` must be made four times as large to be no less than `bytes`: a weight by size alone. */
export function fourfolds(bytes: number, unit: number): number {
  return Math.max(0, Math.ceil(Math.log2(bytes / unit) / 2));
}
