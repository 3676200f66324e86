// What an import is called: its id, which its job has too, and the object that holds its upload.
import { randomUUID } from "node:crypto";
import type { ObjectKey } from "../../ports/object-store.ts";

const ID = /^import-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;
const ENDING = ".upload";

export function newImportId(): string {
  return `import-${randomUUID()}`;
}

export function isImportId(id: string): boolean {
  return ID.test(id);
}

/** The bytes as they were uploaded. */
export function importKey(importId: string): ObjectKey {
  return importId + ENDING;
}

/** The import an object belongs to; null for one that is of none. */
export function importOfKey(key: ObjectKey): string | null {
  const id = key.endsWith(ENDING) ? key.slice(0, -ENDING.length) : "";
  return isImportId(id) ? id : null;
}
