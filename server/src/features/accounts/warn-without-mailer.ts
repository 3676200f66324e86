// Warns at start when verification codes of a public server can only go to the outbox.
import type { Deps } from "../../platform/deps.ts";

export function warnWithoutMailer({ config, ports, log }: Pick<Deps, "config" | "ports" | "log">): void {
  if (config.production && ports.mailer.kind === "outbox") {
    log.warn(
      "No mailer is set and sign-up is open: verification codes only go to this log and DATA_DIR/outbox.jsonl.",
    );
  }
}
