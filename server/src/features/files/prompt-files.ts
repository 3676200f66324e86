// A message's files as the model is given them: their names and their texts, before what was asked.
import type { ObjectStore } from "../../ports/object-store.ts";
import { textKey } from "./file-keys.ts";
import type { FileRow } from "./file-store.ts";

/** One file in a prompt. The name is clean: it cannot end its line. */
export function fileAsPrompt(name: string, text: string): string {
  return `[file name]: ${name}\n[file content begin]\n${text}\n[file content end]\n`;
}

/** The texts of files one after the other, in their order. Their sizes are within a prompt's budget. */
export async function filesAsPrompt(store: ObjectStore, files: readonly FileRow[]): Promise<string> {
  const parts: string[] = [];
  for (const file of files) {
    const pieces: Uint8Array[] = [];
    for await (const piece of store.read(textKey(file.id))) pieces.push(piece);
    parts.push(fileAsPrompt(file.name, Buffer.concat(pieces).toString("utf8")));
  }
  return parts.join("");
}
