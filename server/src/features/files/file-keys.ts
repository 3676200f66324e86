// What a file is called: its id on the wire, and the objects that hold its bytes and its text.
import { randomUUID } from "node:crypto";
import type { ObjectKey } from "../../ports/object-store.ts";

const PREFIX = "file-";
const KEY = /^([0-9a-f-]{36})\.(content|text)$/u;
const ID = /^file-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

export function newFileId(): string {
  return PREFIX + randomUUID();
}

/** What the frame of a file's text in a prompt has of its id: 32 bits of chance. */
export function markOf(fileId: string): string {
  return fileId.slice(PREFIX.length, PREFIX.length + 8);
}

/** False for texts no file can be named by, some of which a database would refuse with a fault. */
export function isFileId(id: string): boolean {
  return ID.test(id);
}

/** The bytes as they were uploaded. */
export function contentKey(fileId: string): ObjectKey {
  return `${fileId.slice(PREFIX.length)}.content`;
}

/** The text that was read of them, UTF-8. */
export function textKey(fileId: string): ObjectKey {
  return `${fileId.slice(PREFIX.length)}.text`;
}

/** Every key that objects of a file may have. */
export function keysOf(fileId: string): ObjectKey[] {
  return [contentKey(fileId), textKey(fileId)];
}

/** The file an object belongs to, and as what; null for one that is none of a file. */
export function fileOfKey(key: ObjectKey): { id: string; part: "content" | "text" } | null {
  const [, uuid = "", part] = KEY.exec(key) ?? [];
  const id = PREFIX + uuid;
  return part !== undefined && isFileId(id) ? { id, part: part as "content" | "text" } : null;
}
