// Commits that do not wait for the disk leave it to the next one that does: all that they wrote. So that this never becomes
// much, and nobody's event loop stands still for it, the log is brought to the disk from time to time, on another thread.
import { type FileHandle, open } from "node:fs/promises";

/** A megabyte or so of what an import stores. */
const COMMITS_PER_FLUSH = 8;

export class LogFlush {
  readonly #path: string;
  #file: Promise<FileHandle> | null = null;
  #commits = 0;

  /** @param path of SQLite's log, which is there while the database is open. SQLite keeps no lock on it. */
  constructor(path: string) {
    this.#path = path;
  }

  /** To be awaited after a commit that was not synced, where nobody else waits. */
  async committed(): Promise<void> {
    this.#commits += 1;
    if (this.#commits < COMMITS_PER_FLUSH) return;
    this.#commits = 0;
    this.#file ??= open(this.#path, "r+");
    await (await this.#file).datasync();
  }

  async close(): Promise<void> {
    await (await this.#file)?.close();
  }
}
