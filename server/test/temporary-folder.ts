// Folders of tests, gone with the last test of their file.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const made: string[] = [];
afterAll(() => made.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Makes an empty folder whose name begins with `plumb-` and this word; also for tables that are built before any test. */
export function temporaryFolder(word: string): string {
  const folder = mkdtempSync(join(tmpdir(), `plumb-${word}-`));
  made.push(folder);
  return folder;
}
