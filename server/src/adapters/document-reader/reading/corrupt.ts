// What the readers of formats throw when a document is not as its format says.
import { codeOf } from "../../../platform/error-words.ts";
import { ReadingError, TooLongError } from "./reading-error.ts";

/** True for an error that is about the process and not about the document. */
function isOfMemory(error: unknown): boolean {
  if (codeOf(error) === "ERR_MEMORY_ALLOCATION_FAILED") return true;
  return (
    error instanceof RangeError &&
    /allocation|invalid (string|array|typed array|array buffer) length/i.test(error.message)
  );
}

/** Runs what takes a document apart: whatever it throws about the document becomes 40003, or 40007 when it nests too deep. */
export async function orCorrupt<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ReadingError || error instanceof TooLongError || isOfMemory(error)) throw error;
    if (error instanceof RangeError && error.message.includes("call stack")) {
      throw new ReadingError(40_007, error.message);
    }
    throw new ReadingError(40_003, String(error));
  }
}
