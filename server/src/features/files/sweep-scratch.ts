// Removes what readings have left whose process died.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../platform/error-words.ts";

/** Removes the files of `folder` that were written last before a time (unix ms). */
export async function sweepScratch(folder: string, writtenBefore: number): Promise<void> {
  for (const name of await unlessMissing(readdir(folder), [])) {
    const path = join(folder, name);
    const found = await unlessMissing(stat(path), null);
    if (found !== null && found.mtimeMs < writtenBefore) await rm(path, { force: true, recursive: true });
  }
}

async function unlessMissing<T, O>(looking: Promise<T>, otherwise: O): Promise<T | O> {
  try {
    return await looking;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return otherwise;
    throw error;
  }
}
