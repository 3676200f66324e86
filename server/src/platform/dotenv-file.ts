import { readFileSync } from "node:fs";
import { StartError } from "./start-error.ts";

/** The text of `.env` in the working folder, "" when there is none. Throws a StartError when it cannot be read. */
export function readDotenvFile(): string {
  try {
    return readFileSync(".env", "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    const why = error instanceof Error ? error.message : String(error);
    throw new StartError(`The file .env cannot be read: ${why}.`, { cause: error });
  }
}
