// A picture: words in it are read elsewhere (OCR). Here only whether it is one.
import type { InputFile } from "./input-file.ts";
import { ReadingError } from "./reading-error.ts";

/** The first bytes of PNG and APNG, JPEG, GIF, BMP and ICO; RIFF and ISO files name their kind a little later. */
const marks = ["89504e470d0a1a0a", "ffd8ff", "474946383761", "474946383961", "424d", "00000100"];

/** Throws 40001, or 40008 when it is none of the formats that are taken. */
export function readPicture(input: InputFile): void {
  const start = input.read(0, 16);
  const isPicture =
    marks.some((mark) => start.toString("hex").startsWith(mark)) ||
    start.toString("latin1", 8, 12) === "WEBP" ||
    /^ftypavi[fs]$/.test(start.toString("latin1", 4, 12));
  throw isPicture ? new ReadingError(40_001, "a picture") : new ReadingError(40_008, "no picture");
}
