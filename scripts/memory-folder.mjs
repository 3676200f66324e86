// A folder in memory for what tests store. On a disk, making databases and waiting for what is written took a third of the
// suites' time; and a test kills processes, never the machine, so nothing is proved by the disk.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const memory = "/dev/shm";
const name = "plumb-tests-";
const GIB = 1024 ** 3;
/** What the suites store at once, several times over. */
const enough = { shared: 3 * GIB, available: 6 * GIB };

/**
 * What the tests' environment says of it: `TMPDIR` for their own folders, `TEST_MEMORY_FOLDER` for PostgreSQL's. Nothing
 * where there is no such memory, too little of it, or a choice made by whoever starts the tests.
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ env: NodeJS.ProcessEnv, remove: () => void }}
 */
export function openMemoryFolder(env) {
  if ((env.TMPDIR ?? "") !== "" || !hasEnough()) return { env, remove: () => {} };
  removeLeftFolders();
  const folder = mkdtempSync(join(memory, `${name}${process.pid}-`));
  // PostgreSQL runs as another user, who may pass through it and see nothing of it.
  chmodSync(folder, 0o711);
  return {
    env: { ...env, TMPDIR: folder, TEST_MEMORY_FOLDER: folder },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function hasEnough() {
  try {
    const { bavail, bsize } = statfsSync(memory);
    const [, available] = /^MemAvailable:\s+(\d+) kB$/mu.exec(readFileSync("/proc/meminfo", "utf8")) ?? [];
    return bavail * bsize >= enough.shared && Number(available) * 1024 >= enough.available;
  } catch {
    // Another system than Linux, or none that shows it.
    return false;
  }
}

/** A run that was killed could not remove its own. */
function removeLeftFolders() {
  for (const entry of readdirSync(memory)) {
    const [, pid] = new RegExp(`^${name}(\\d+)-`, "u").exec(entry) ?? [];
    if (pid !== undefined && !runs(Number(pid)))
      rmSync(join(memory, entry), { recursive: true, force: true });
  }
}

function runs(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
