// How much memory a process of ours holds, native and WebAssembly memory included.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Bytes; null when the process has ended or the system does not tell (Windows). */
export async function residentSet(pid: number): Promise<number | null> {
  if (process.platform === "win32") return null;
  try {
    if (process.platform !== "linux") {
      const { stdout } = await run("ps", ["-o", "rss=", "-p", String(pid)]);
      return Number(stdout.trim()) * 1024;
    }
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    // It has ended in the meantime: its exit is told elsewhere.
    return null;
  }
}
