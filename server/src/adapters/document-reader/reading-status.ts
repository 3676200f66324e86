// How the process that reads a document tells what came of it: by its exit status and by nothing else, so that nothing
// which a hostile document has taken over is ever parsed here.
import type { ParseErrorCode } from "@plumb/protocol/wire/files";

/** Exit statuses besides 0 (the text is whole), by the codes they stand for. Lower ones are Node's and the shell's. */
const statusOfCode = {
  40_000: 64,
  40_001: 65,
  40_002: 66,
  40_003: 67,
  40_004: 68,
  40_006: 69,
  40_007: 70,
  40_008: 71,
  40_009: 72,
  50_200: 73,
  50_201: 74,
  50_202: 75,
} as const satisfies Partial<Record<ParseErrorCode, number>>;

/** A code that the reading process may choose. */
export type ReadingCode = keyof typeof statusOfCode;

/** More text than the output may hold. */
export const tooLongStatus = 80;
/** There is text, and pages beside it that are pictures. */
export const scannedPagesStatus = 81;

/** A code as the exit status of the reading process. */
export function statusOf(code: ReadingCode): number {
  return statusOfCode[code];
}

/** The code of an exit status; "extractor crashed" for one that the reading process does not choose. */
export function codeOfStatus(status: number): ParseErrorCode {
  const found = Object.entries(statusOfCode).find(([, one]) => one === status);
  return found === undefined ? 50_200 : (Number(found[0]) as ReadingCode);
}
