// The program of the process that reads one document: node read-document.ts EXTENSION OUTPUT_BYTES. The document is open
// as 3 and its text goes to 4. What came of it is the exit status (reading-status.ts).
import { codeOf } from "../../../platform/error-words.ts";
import { scannedPagesStatus, statusOf, tooLongStatus } from "../reading-status.ts";
import { closeNetwork } from "./close-network.ts";
import { InputFile } from "./input-file.ts";
import { readerOf } from "./reader-of.ts";
import { ReadingError, TooLongError } from "./reading-error.ts";
import { TextSink } from "./text-sink.ts";

async function read(extension: string, limit: number): Promise<number> {
  const input = new InputFile(3);
  const sink = new TextSink(4, limit);
  if (input.size === 0) return statusOf(40_000);
  const reading = await readerOf(extension);
  await reading(input, sink);
  sink.end();
  if (sink.isBlank) return sink.hasPictures ? statusOf(40_002) : statusOf(sink.hasText ? 40_009 : 40_000);
  return sink.hasPictures ? scannedPagesStatus : 0;
}

function statusOfError(error: unknown): number {
  if (error instanceof ReadingError) return statusOf(error.code);
  if (error instanceof TooLongError) return tooLongStatus;
  // "Array buffer allocation failed", "Invalid string length" and their like.
  if (error instanceof RangeError || codeOf(error) === "ERR_MEMORY_ALLOCATION_FAILED")
    return statusOf(50_202);
  return statusOf(50_200);
}

closeNetwork();
const [extension = "", limit = "0"] = process.argv.slice(2);
process.on("uncaughtException", (error) => process.exit(statusOfError(error)));
process.on("unhandledRejection", (error) => process.exit(statusOfError(error)));
try {
  process.exit(await read(extension, Number(limit)));
} catch (error) {
  process.exit(statusOfError(error));
}
