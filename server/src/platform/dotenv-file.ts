import { readFileSync } from "node:fs";
import { codeOf, messageOf } from "./error-words.ts";
import { StartError } from "./start-error.ts";

/** The text of `.env` in the working folder, "" when there is none. Throws a StartError when it cannot be read. */
export function readDotenvFile(): string {
  try {
    return readFileSync(".env", "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "";
    throw new StartError(`The file .env cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}
