// A message's files as the model is given them: their names and their texts, before what was asked.
import type { ObjectStore } from "../../ports/object-store.ts";
import { markOf, textKey } from "./file-keys.ts";
import type { FileRow } from "./file-store.ts";

/**
 * One file in a prompt. The lines around its text carry a part of its id, which was drawn at random when the bytes had come:
 * whoever wrote the text or the name could not know it, so that nothing in them passes for the end of the file, or for
 * another one. It is the same in every prompt, as the tokens are.
 */
export function fileAsPrompt({ id, name }: Pick<FileRow, "id" | "name">, text: string): string {
  const mark = markOf(id);
  return `[file name]: ${asOneLine(name)}\n[file content begin ${mark}]\n${text}\n[file content end ${mark}]\n`;
}

/** A name is clean when it is stored; it may be older than what is clean now. */
function asOneLine(name: string): string {
  return name.replace(/\s+/gu, " ");
}

/** The texts of files one after the other, in their order. Their sizes are within a prompt's budget. */
export async function filesAsPrompt(store: ObjectStore, files: readonly FileRow[]): Promise<string> {
  const parts: string[] = [];
  for (const file of files) {
    const pieces: Uint8Array[] = [];
    for await (const piece of store.read(textKey(file.id))) pieces.push(piece);
    parts.push(fileAsPrompt(file, Buffer.concat(pieces).toString("utf8")));
  }
  return parts.join("");
}
