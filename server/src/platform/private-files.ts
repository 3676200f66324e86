// People's words and keys are for the server's own user alone (ASVS 14.2): what is made from now on, and what is there.
import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

const OTHERS = 0o077;
/** What the product itself keeps in the data folder. Anything else is somebody else's and stays as it is. */
const OWN_NAME = /^(?:(?:plumb|lock)\.db(?:-wal|-shm|-journal)?|secret\.key|outbox\.jsonl|\.write-[\w-]+)$/u;

/** New files and folders of this process are its user's alone. Call it before the first is made. */
export function keepNewFilesPrivate(): void {
  process.umask(OTHERS);
}

/**
 * Takes the rights of group and others from the product's files in the folder, and from the folder itself unless files
 * of others lie in it. Returns the paths that stay open to others because they belong to another user.
 */
export function makePrivate(dataDir: string): string[] {
  // Windows has no such rights.
  if (process.platform === "win32") return [];
  const names = readdirSync(dataDir);
  const own = names.filter((name) => OWN_NAME.test(name));
  const paths = own.map((name) => join(dataDir, name));
  if (own.length === names.length) paths.push(dataDir);
  return paths.filter((path) => !closeToOthers(path));
}

/** False when the path stays open to others. Links are not followed: they lead out of the folder. */
function closeToOthers(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink() || (found.mode & OTHERS) === 0) return true;
  if (process.getuid?.() !== 0 && process.getuid?.() !== found.uid) return false;
  chmodSync(path, found.mode & 0o7777 & ~OTHERS);
  return true;
}
