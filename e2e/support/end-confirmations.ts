// Ten minutes after every sign-in, without waiting for them.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SingleStack } from "./start-stack.ts";

/** No token of the server counts as its owner's own any more, until that is confirmed again. */
export function endConfirmations({ server }: Pick<SingleStack, "server">): void {
  const db = new DatabaseSync(join(server.dataDir, "plumb.db"), { timeout: 5000 });
  try {
    db.exec("update login_tokens set confirmed_until = 0");
  } finally {
    db.close();
  }
}
