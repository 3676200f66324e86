// DATA_DIR/outbox.jsonl: the codes that no sender is configured for, where the operator finds them.
import { open } from "node:fs/promises";
import { join } from "node:path";
import { makeDataFolder } from "./data-folder.ts";

/** One line of the outbox. */
export interface OutboxMessage {
  /** ISO time. */
  at: string;
  channel: "email" | "sms";
  to: string;
  /** What the code is for. */
  scenario: string;
  code: string;
}

/** Appends one line in one write to the end of the file, which its owner alone may read. */
export async function appendToOutbox(dataDir: string, message: OutboxMessage): Promise<void> {
  makeDataFolder(dataDir);
  const file = await open(join(dataDir, "outbox.jsonl"), "a", 0o600);
  try {
    await file.chmod(0o600);
    await file.write(`${JSON.stringify(message)}\n`);
  } finally {
    await file.close();
  }
}
