// A ban as the operator sets it, written beside the running server.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Bans the account with this email. Throws when there is none. */
export function banAccount(dataDir: string, email: string): void {
  const database = new DatabaseSync(join(dataDir, "plumb.db"));
  try {
    database.exec("PRAGMA busy_timeout = 5000");
    const { changes } = database
      .prepare("UPDATE users SET banned_at = ? WHERE email = ?")
      .run(Date.now(), email);
    if (changes !== 1) throw new Error(`no account ${email} in ${dataDir}`);
  } finally {
    database.close();
  }
}
