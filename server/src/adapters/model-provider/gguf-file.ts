// Checks a model file before the start goes on: a wrong MODEL_PATH should be one sentence, not a stack.
import { open, stat } from "node:fs/promises";
import { codeOf } from "../../platform/error-words.ts";
import { StartError } from "../../platform/start-error.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "this user has no permission",
  EPERM: "this user has no permission",
};

/** Throws StartError when there is no readable GGUF file at the path. */
export async function requireGgufFile(path: string): Promise<void> {
  const head = Buffer.alloc(4);
  try {
    // A pipe would keep whoever opens it waiting.
    const found = await stat(path);
    if (!found.isFile()) throw unusable(path, found.isDirectory() ? "it is a folder" : "it is no file");
    const file = await open(path, "r");
    try {
      await file.read(head, 0, 4, 0);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    const code = codeOf(error) ?? "unreadable";
    const shell = path.startsWith("~") ? " (~ stands for no folder here)" : "";
    throw unusable(path, `${reasons[code] ?? code}${shell}`, error);
  }
  if (head.toString("latin1") !== "GGUF") {
    throw new StartError(`MODEL_PATH (${path}) is no GGUF file. Models in this format end in .gguf.`);
  }
}

function unusable(path: string, why: string, cause?: unknown): StartError {
  return new StartError(`MODEL_PATH (${path}) cannot be read: ${why}.`, { cause });
}
