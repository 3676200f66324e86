// A picture: words in it are read elsewhere (OCR). Here only whether it is one, and whole.
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { ReadingError } from "./reading-error.ts";
import { requireWholePicture } from "./whole-picture.ts";

/** Throws 40001; 40008 when it is none of the formats that are taken, 40003 when it is damaged. */
export function readPicture(input: InputFile): void {
  requireWholePicture(input);
  throw new ReadingError(40_001, "a picture");
}
