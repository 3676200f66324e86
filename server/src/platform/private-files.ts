// Stored conversations and keys are readable by the server's own user alone: new files, and files that exist already.
import { chmodSync, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const OTHERS = 0o077;
/** Marks a folder that is meant for several users, such as /tmp. */
const STICKY = 0o1000;
/** The product's own files in the data folder. The rights of any other file stay as they are. */
const OWN_NAME =
  /^(?:(?:plumb|lock)\.db(?:-wal|-shm|-journal)?|secret\.key|outbox\.jsonl(?:\.next)?|address\.json|objects|scratch|\.write-[\w-]+)$/u;

/** Files and folders that this process makes are for its user alone. Call it before the first is made. */
export function keepNewFilesPrivate(): void {
  process.umask(OTHERS);
}

/**
 * Removes the rights of group and others from the product's files in the folder, and from the folder itself unless it
 * holds other files, too, or is sticky. Returns the paths that stay open to others because they belong to another user.
 */
export function makePrivate(dataDir: string): string[] {
  // Windows has no such rights.
  if (process.platform === "win32") return [];
  const names = readdirSync(dataDir);
  const own = names.filter((name) => OWN_NAME.test(name));
  const paths = own.map((name) => join(dataDir, name));
  const isShared = own.length < names.length || (statSync(dataDir).mode & STICKY) !== 0;
  if (!isShared) paths.push(dataDir);
  return paths.filter((path) => !closeToOthers(path));
}

/** False when the path stays open to others. Links are not followed, because they can lead out of the folder. */
function closeToOthers(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink() || (found.mode & OTHERS) === 0) return true;
  if (process.getuid?.() !== 0 && process.getuid?.() !== found.uid) return false;
  chmodSync(path, found.mode & 0o7777 & ~OTHERS);
  return true;
}
