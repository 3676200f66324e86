// Warns at start when the codes of a public server can only go to the outbox.
import type { Deps } from "../../platform/deps.ts";

export function warnWithoutSender({ config, ports, log }: Pick<Deps, "config" | "ports" | "log">): void {
  if (!config.production) return;
  const byPhone = config.edition === "mainland";
  if (config.signUp === "open" && (byPhone ? ports.smsSender : ports.mailer).kind === "outbox") {
    log.warn(
      `No ${byPhone ? "SMS gateway" : "mailer"} is set and sign-up is open: verification codes only go to this log and DATA_DIR/outbox.jsonl.`,
    );
  }
}
