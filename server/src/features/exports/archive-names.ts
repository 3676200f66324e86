// Names of what is in an archive.
import { safeName } from "@plumb/protocol/documents/safe-name";

/** The Markdown of a session, the `place`th (from 1): the number keeps equal titles apart, and reserved names harmless. */
export function sessionFileName(place: number, title: string | null, untitled: string): string {
  return `sessions/${String(place).padStart(5, "0")} ${safeName(title ?? "", untitled)}.md`;
}

/** The text of a file. Its id keeps equal names apart, and tells which one it is. */
export function textFileName(fileId: string, name: string): string {
  return `files/${safeName(name, "file")}.${fileId}.txt`;
}
