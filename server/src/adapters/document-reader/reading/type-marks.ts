// The first bytes by which formats are known.
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { ReadingError } from "./reading-error.ts";

const marks = {
  zip: "504b0304",
  compound: "d0cf11e0a1b11ae1",
  pdf: "255044462d",
  rtf: "7b5c727466",
} as const;

export function hasMark(input: InputFile, kind: keyof typeof marks): boolean {
  const mark = marks[kind];
  return input.read(0, mark.length / 2).toString("hex") === mark;
}

/** Throws 40008 when the document is not of the kind its name says. */
export function requireMark(input: InputFile, kind: keyof typeof marks): void {
  if (!hasMark(input, kind)) throw new ReadingError(40_008, "the content is of another type");
}
