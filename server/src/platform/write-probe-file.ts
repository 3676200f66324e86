// Tries whether a folder takes data: on a full disk a file can still be opened.
import { open, rm } from "node:fs/promises";
import { join } from "node:path";

/** A few bytes may still fit on a full disk. */
const BYTES = Buffer.alloc(64 * 1024);

/** Writes 64 KiB to the disk and removes them. Throws the error of the system when that is not possible. */
export async function writeProbeFile(folder: string): Promise<void> {
  const path = join(folder, ".write-probe");
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(BYTES);
    await file.sync();
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
