// Warns at start when the codes of a public server can only go to the outbox.
import type { Deps } from "../../platform/deps.ts";

const OUTBOX = "verification codes only go to this log and DATA_DIR/outbox.jsonl.";

export function warnWithoutSender({ config, ports, log }: Pick<Deps, "config" | "ports" | "log">): void {
  if (!config.production || config.signUp !== "open") return;
  const isWithoutSms = ports.smsSender.kind === "outbox";
  const byPhone = config.edition === "mainland";
  if (byPhone ? isWithoutSms : ports.mailer.kind === "outbox")
    log.warn(`No ${byPhone ? "SMS gateway" : "mailer"} is set and sign-up is open: ${OUTBOX}`);
  if (!byPhone && isWithoutSms && !config.mainlandEmailSignUp)
    log.warn(
      `MAINLAND_EMAIL_SIGN_UP is off and no SMS gateway is set: from mainland China one signs up by phone alone, and ${OUTBOX}`,
    );
}
