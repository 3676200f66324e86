// The user that an isolated process runs as. Where the server is root that is nobody of the system: code that broke out of
// everything else could still not read the server's files nor signal its processes.
import { spawn } from "node:child_process";
import { access } from "node:fs/promises";

export interface User {
  uid: number;
  gid: number;
}

/** Numbers below 65536, which containers map, that neither Debian nor Alpine gives to a user. */
const FIRST_ID = 64_512;
const IDS = 512;

let given = 0;
const reachable = new Map<string, Promise<boolean>>();

/**
 * The next user, so that two documents that are read at once do not share one; none (the server's own) where the server is not
 * root. `paths`: what the process has to read. Where a stranger cannot reach them, as below /root, or where root may not
 * change users, as in some containers, it stays root, which is warned of once.
 */
export async function userFor(paths: readonly string[]): Promise<User | Record<string, never>> {
  if (process.getuid?.() !== 0) return {};
  const key = paths.join("\n");
  const known = reachable.get(key) ?? warnUnless(canReach(paths), paths);
  reachable.set(key, known);
  if (!(await known)) return {};
  given = (given + 1) % IDS;
  return { uid: FIRST_ID + given, gid: FIRST_ID + given };
}

async function warnUnless(reaching: Promise<boolean>, paths: readonly string[]): Promise<boolean> {
  const reaches = await reaching;
  if (!reaches) {
    process.emitWarning(
      "Documents are read by processes of root: no other user can be set, or none can read " +
        `${paths.join(", ")}. Run the server as a user of its own, or install it where every user can read it.`,
      { code: "PLUMB_ISOLATED_AS_ROOT" },
    );
  }
  return reaches;
}

async function canReach(paths: readonly string[]): Promise<boolean> {
  const there = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => [path],
        () => [],
      ),
    ),
  );
  const looks =
    'for path; do test -r "$path" && test -x "$path" || test -f "$path" && test -r "$path" || exit 1; done';
  return new Promise<boolean>((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", looks, "sh", ...there.flat()], {
      uid: FIRST_ID,
      gid: FIRST_ID,
      env: {},
      cwd: "/",
      stdio: "ignore",
    });
    child.once("error", reject);
    child.once("exit", (status) => resolve(status === 0));
    // The system refuses the user, some by throwing: the caller warns of it.
  }).catch(() => false);
}
