// Objects as files of one folder: `ab/abcdef….content`, written under another name in `incoming` first.
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../platform/error-words.ts";
import { writeProbeFile } from "../../platform/write-probe-file.ts";
import { NoSuchObject, type ObjectKey, type ObjectStore } from "../../ports/object-store.ts";

const KEY = /^[a-z0-9][a-z0-9-]{2,60}(?:\.[a-z]{1,16})?$/u;
/** The first two characters of a key. */
const FOLDER = /^[a-z0-9][a-z0-9-]$/u;
const INCOMING = "incoming";
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** @param root the folder; made with the first object. */
export function createFolderObjectStore(root: string): ObjectStore {
  const incoming = join(root, INCOMING);

  const folderOf = (key: ObjectKey) => join(root, key.slice(0, 2));
  const pathOf = (key: ObjectKey): string => {
    if (!KEY.test(key)) throw new Error(`no key of an object: ${JSON.stringify(key)}`);
    return join(folderOf(key), key);
  };

  return {
    async put(key, source) {
      const path = pathOf(key);
      await mkdir(incoming, { recursive: true, mode: PRIVATE_FOLDER });
      const unfinished = join(incoming, randomUUID());
      try {
        const bytes = await writeAll(unfinished, source);
        await mkdir(folderOf(key), { recursive: true, mode: PRIVATE_FOLDER });
        await rename(unfinished, path);
        await syncFolder(folderOf(key));
        return bytes;
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },

    async *read(key, range) {
      try {
        yield* createReadStream(pathOf(key), range ?? {}) as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw codeOf(error) === "ENOENT" ? new NoSuchObject(key) : error;
      }
    },

    async sizeOf(key) {
      return (await stat(pathOf(key)).catch(ignoreMissing))?.size ?? null;
    },

    async withFile(key, use) {
      const path = pathOf(key);
      await stat(path).catch((error: unknown) => {
        throw codeOf(error) === "ENOENT" ? new NoSuchObject(key) : error;
      });
      return use(path);
    },

    async remove(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true });
    },

    async *list() {
      for (const folder of await namesIn(root)) {
        // File managers and file systems put things of their own there.
        if (!FOLDER.test(folder)) continue;
        for (const key of await namesIn(join(root, folder))) {
          if (!KEY.test(key)) continue;
          const found = await stat(join(root, folder, key)).catch(ignoreMissing);
          if (found !== undefined) yield { key, bytes: found.size, storedAt: Math.round(found.mtimeMs) };
        }
      }
    },

    async probe() {
      await mkdir(incoming, { recursive: true, mode: PRIVATE_FOLDER });
      await writeProbeFile(incoming);
    },

    async removeUnfinished(begunBefore) {
      for (const name of await namesIn(incoming)) {
        const path = join(incoming, name);
        const found = await stat(path).catch(ignoreMissing);
        if (found !== undefined && found.mtimeMs < begunBefore) await rm(path, { force: true });
      }
    },
  };
}

/** Writes a new file, durable when this resolves with its bytes. */
async function writeAll(path: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, "wx", PRIVATE_FILE);
  try {
    let bytes = 0;
    for await (const piece of source) {
      await writeWhole(file, piece);
      bytes += piece.length;
    }
    await file.sync();
    return bytes;
  } finally {
    await file.close();
  }
}

/** One write may take less than it was given. */
async function writeWhole(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let from = 0; from < piece.length;) {
    const { bytesWritten } = await file.write(piece, from);
    from += bytesWritten;
  }
}

/** A new name in a folder is durable when the folder is. Windows has no such thing, and needs none. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Names in a folder; none where there is no folder, or a file in its place. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return [];
    throw error;
  }
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
}
