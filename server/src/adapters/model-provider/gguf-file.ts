// Checks a model file before the start goes on: a wrong MODEL_PATH should be one sentence, not a stack.
import { open } from "node:fs/promises";
import { StartError } from "../../platform/start-error.ts";

/** Throws StartError when there is no readable GGUF file at the path. */
export async function requireGgufFile(path: string): Promise<void> {
  const head = Buffer.alloc(4);
  try {
    const file = await open(path, "r");
    try {
      await file.read(head, 0, 4, 0);
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why =
      code === "ENOENT"
        ? "there is no such file"
        : code === "EISDIR"
          ? "it is a folder"
          : (code ?? "unreadable");
    throw new StartError(`MODEL_PATH (${path}) cannot be read: ${why}.`, { cause: error });
  }
  if (head.toString("latin1") !== "GGUF") {
    throw new StartError(`MODEL_PATH (${path}) is no GGUF file. Models in this format end in .gguf.`);
  }
}
