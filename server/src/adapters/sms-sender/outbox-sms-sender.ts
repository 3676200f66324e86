// No gateway for text messages: codes go to the log and to the outbox, notices to the outbox alone.
import type { Logger } from "../../platform/logger.ts";
import { appendToOutbox } from "../../platform/outbox.ts";
import type { Clock } from "../../ports/clock.ts";
import type { SmsSender } from "../../ports/sms-sender.ts";

export function createOutboxSmsSender(deps: { dataDir: string; log: Logger; clock: Clock }): SmsSender {
  return {
    kind: "outbox",
    async sendCode({ to, scenario, code }) {
      const at = new Date(deps.clock.now()).toISOString();
      await appendToOutbox(deps.dataDir, { at, channel: "sms", to, scenario, code });
      deps.log.info({ channel: "sms", to, scenario, code }, "verification code (no SMS gateway is set)");
    },
    async sendNotice({ to, notice: { about, link } }) {
      const at = new Date(deps.clock.now()).toISOString();
      await appendToOutbox(deps.dataDir, { at, channel: "sms", to, scenario: about, link });
      deps.log.info({ channel: "sms", to, scenario: about }, "notice in the outbox (no SMS gateway is set)");
    },
    close: async () => {},
  };
}
