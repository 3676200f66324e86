// The server key, which signs links and puzzles: SECRET_KEY, or made once and kept in the data folder.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { prepareDataFolder } from "./data-folder.ts";
import { codeOf, messageOf } from "./error-words.ts";
import { StartError } from "./start-error.ts";

const leastCharacters = 8;

/** SECRET_KEY, else the content of `DATA_DIR/secret.key`, which is made with mode 600 when it is missing. */
export function loadSecretKey(config: Pick<Config, "secretKey" | "dataDir">): string {
  if (config.secretKey !== null) return config.secretKey;
  const file = join(config.dataDir, "secret.key");
  // The folder is prepared only for a new key: an existing one may lie in a folder that cannot be written.
  if (!existsSync(file)) {
    prepareDataFolder(config.dataDir);
    make(file);
  }
  const key = read(file);
  if (key.length < leastCharacters) throw unusable(file, new Error("it is too short"));
  return key;
}

function make(file: string): void {
  try {
    writeFileSync(file, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    // Another process has just made it.
    if (codeOf(error) !== "EEXIST") throw unusable(file, error);
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw unusable(file, error);
  }
}

function unusable(file: string, cause: unknown): StartError {
  return new StartError(
    `The secret key in ${file} cannot be used (${messageOf(cause)}). Put it right or set SECRET_KEY.`,
    { cause },
  );
}
