// The frame of a process that reads one document: it is open as 3, its text goes to 4, and what came of it is the exit
// status (reading-status.ts).
import { codeOf } from "../../../platform/error-words.ts";
import { scannedPagesStatus, statusOf, tooLongStatus } from "../reading-status.ts";
import { InputFile } from "../../../platform/isolation/input-file.ts";
import type { DocumentReading } from "./reader-of.ts";
import { ReadingError, TooLongError } from "./reading-error.ts";
import { TextSink } from "./text-sink.ts";

/** Reads, and ends the process. `limit`: bytes of the text. */
export async function runReading(limit: number, reading: DocumentReading): Promise<never> {
  process.on("uncaughtException", (error) => process.exit(statusOfError(error)));
  process.on("unhandledRejection", (error) => process.exit(statusOfError(error)));
  const input = new InputFile(3);
  const sink = new TextSink(4, limit);
  try {
    if (input.size === 0) throw new ReadingError(40_000, "an empty file");
    await reading(input, sink);
    sink.end();
  } catch (error) {
    process.exit(statusOfError(error));
  }
  process.exit(statusOfText(sink));
}

function statusOfText({ isBlank, hasText, hasPictures }: TextSink): number {
  if (isBlank && hasPictures) return statusOf(40_002);
  if (isBlank) return statusOf(hasText ? 40_009 : 40_000);
  return hasPictures ? scannedPagesStatus : 0;
}

function statusOfError(error: unknown): number {
  if (error instanceof ReadingError) return statusOf(error.code);
  if (error instanceof TooLongError) return tooLongStatus;
  // "Array buffer allocation failed", "Invalid string length" and their like.
  if (error instanceof RangeError || codeOf(error) === "ERR_MEMORY_ALLOCATION_FAILED")
    return statusOf(50_202);
  return statusOf(50_200);
}
