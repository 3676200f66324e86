// What a number on the clock says of the machine rather than of the program.
import { openSync, readSync } from "node:fs";

const text = Buffer.alloc(100);
let file: number | null | undefined;

/**
 * How long this thread has waited for a processor so far (ms): it could run, and the machine ran others. What it blocks
 * itself, by work or by waiting for the disk, is not in it. 0 where the system does not tell.
 */
export function waitedMs(): number {
  file ??= open();
  if (file === null) return 0;
  const [, waited] = text.toString("latin1", 0, readSync(file, text, 0, text.length, 0)).split(" ");
  return Number(waited) / 1e6;
}

/** The path names the thread that opens it, also when another reads. */
function open(): number | null {
  try {
    return openSync("/proc/thread-self/schedstat", "r");
  } catch {
    return null;
  }
}
