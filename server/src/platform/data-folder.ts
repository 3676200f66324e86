// The data folder: made when it is missing, and tried before anything relies on it.
import { closeSync, mkdirSync, openSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { codeOf, messageOf } from "./error-words.ts";
import { StartError } from "./start-error.ts";

/**
 * Makes the folder and what is missing above it, for the server's own user alone, and writes a file into it.
 * Throws a StartError with one sentence when it cannot be made or written.
 */
export function prepareDataFolder(dataDir: string): void {
  try {
    makeDataFolder(dataDir);
  } catch (error) {
    throw new StartError(`The data folder ${dataDir} cannot be made: ${whyNot(error)}. ${advice}`, {
      cause: error,
    });
  }
  const probe = join(dataDir, `.write-test-${process.pid}`);
  try {
    closeSync(openSync(probe, "w", 0o600));
    rmSync(probe, { force: true });
  } catch (error) {
    throw new StartError(`The data folder ${dataDir} cannot be written: ${whyNot(error)}. ${advice}`, {
      cause: error,
    });
  }
}

/** As `prepareDataFolder`, without writing into it; throws the system's error. */
export function makeDataFolder(dataDir: string): void {
  makeFolder(resolve(dataDir));
}

const advice = "Choose another with DATA_DIR.";

/** Level by level: Node's own recursive mkdir never ends where a folder that exists takes no new one, as in /proc. */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    // It holds people's conversations.
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process has just made it.
    if (codeOf(error) !== "EEXIST" || !isFolder(path)) throw error;
  }
}

/** False when nothing is there; throws ENOTDIR when something other than a folder is. */
function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return found !== undefined;
  throw Object.assign(new Error(`${path} is a file`), { code: "ENOTDIR", path });
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "this user has no permission",
  EPERM: "this user has no permission",
  EROFS: "it is on a read-only file system",
  ENOSPC: "the disk is full",
  ENOENT: "this place takes no files",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "its links lead in a circle",
};

function whyNot(error: unknown): string {
  const code = codeOf(error);
  if (code === "ENOTDIR" || code === "EEXIST") return `${pathOf(error)} is a file`;
  return (code === undefined ? undefined : reasons[code]) ?? messageOf(error);
}

function pathOf(error: unknown): string {
  return error instanceof Error && "path" in error ? String(error.path) : "a part of it";
}
