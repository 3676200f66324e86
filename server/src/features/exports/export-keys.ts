// What an export is called: its id, which its job has too, and the objects that may hold its zip.
import { randomUUID } from "node:crypto";
import type { ObjectKey } from "../../ports/object-store.ts";

const ID = /^export-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;
const KEY = /^(export-[0-9a-f-]{36})-(\d{1,9})\.(zip|aside)$/u;

export function newExportId(): string {
  return `export-${randomUUID()}`;
}

export function isExportId(id: string): boolean {
  return ID.test(id);
}

/** One for each holder of the job: a process that has lost it writes over nobody's bytes. */
export function exportKey(exportId: string, epoch: number): ObjectKey {
  return `${exportId}-${epoch}.zip`;
}

/** What is packed beside the zip while it is written. */
export function asideKeyOf(exportId: string, epoch: number): ObjectKey {
  return `${exportId}-${epoch}.aside`;
}

/** Every key that holders of the job up to this epoch may have written. */
export function exportKeys(exportId: string, epoch: number): ObjectKey[] {
  const epochs = Array.from({ length: epoch }, (_, index) => index + 1);
  return epochs.flatMap((one) => [exportKey(exportId, one), asideKeyOf(exportId, one)]);
}

/** The export an object belongs to; null for one that is of none. */
export function exportOfKey(key: ObjectKey): string | null {
  const [, id = ""] = KEY.exec(key) ?? [];
  return isExportId(id) ? id : null;
}
