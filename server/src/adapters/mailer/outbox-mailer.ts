// No mail server: codes go to the log and to DATA_DIR/outbox.jsonl, where the operator finds them.
import { open } from "node:fs/promises";
import { join } from "node:path";
import { makeDataFolder } from "../../platform/data-folder.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CodeMail, Mailer } from "../../ports/mailer.ts";

/** One line of the outbox. */
interface OutboxMessage {
  at: string;
  channel: "email" | "sms";
  to: string;
  scenario: CodeMail["scenario"];
  code: string;
}

/** Appends one line in one write to the end of the file, which its owner alone may read. */
async function appendToOutbox(dataDir: string, message: OutboxMessage): Promise<void> {
  makeDataFolder(dataDir);
  const file = await open(join(dataDir, "outbox.jsonl"), "a", 0o600);
  try {
    await file.chmod(0o600);
    await file.write(`${JSON.stringify(message)}\n`);
  } finally {
    await file.close();
  }
}

export function createOutboxMailer(deps: { dataDir: string; log: Logger; clock: Clock }): Mailer {
  return {
    kind: "outbox",
    async sendCode({ to, scenario, code }) {
      const at = new Date(deps.clock.now()).toISOString();
      const message: OutboxMessage = { at, channel: "email", to, scenario, code };
      await appendToOutbox(deps.dataDir, message);
      // The log line has a time of its own.
      deps.log.info({ channel: message.channel, to, scenario, code }, "verification code (no mailer is set)");
    },
  };
}
