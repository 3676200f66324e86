// No mail server: codes go to the log and to the outbox, notices to the outbox alone.
import type { Logger } from "../../platform/logger.ts";
import { appendToOutbox } from "../../platform/outbox.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Mailer } from "../../ports/mailer.ts";

export function createOutboxMailer(deps: { dataDir: string; log: Logger; clock: Clock }): Mailer {
  return {
    kind: "outbox",
    async sendCode({ to, scenario, code }) {
      const at = new Date(deps.clock.now()).toISOString();
      await appendToOutbox(deps.dataDir, { at, channel: "email", to, scenario, code });
      // The log line has a time of its own.
      deps.log.info({ channel: "email", to, scenario, code }, "verification code (no mailer is set)");
    },
    async sendNotice({ to, notice: { about, link } }) {
      const at = new Date(deps.clock.now()).toISOString();
      await appendToOutbox(deps.dataDir, { at, channel: "email", to, scenario: about, link });
      deps.log.info({ channel: "email", to, scenario: about }, "notice in the outbox (no mailer is set)");
    },
    close: async () => {},
  };
}
