// One serving process per data folder: it holds lock.db under BEGIN EXCLUSIVE, and the system frees it with the process.
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { messageOf } from "../error-words.ts";
import { StartError } from "../start-error.ts";

/** Takes the folder for this process; returns the release. Throws a StartError while another process holds it. */
export function lockDataFolder(dataDir: string): () => void {
  const file = join(dataDir, "lock.db");
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec("pragma journal_mode = delete; begin exclusive");
  } catch (error) {
    lock?.close();
    if (error instanceof Error && /locked|busy/iu.test(error.message)) {
      throw new StartError(
        `Another server already runs on the data folder ${dataDir}. Stop it, or choose another folder with DATA_DIR.`,
        { cause: error },
      );
    }
    throw new StartError(
      `The lock file ${file} cannot be used (${messageOf(error)}). Does it belong to this user?`,
      {
        cause: error,
      },
    );
  }
  const held = lock;
  return () => held.close();
}
