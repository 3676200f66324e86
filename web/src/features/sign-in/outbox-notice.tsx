import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Icon } from "../../ui/icon.tsx";
import styles from "./form.module.css";

/** Without a sender the codes lie with whoever runs the server: say so, or people wait for what never comes. */
export function OutboxNotice({ channel }: { channel: "email" | "sms" }) {
  const engine = useEngine();
  const { t } = useTexts();
  const offer = useSelector(engine.site.settings, ({ settings }) => settings?.sign_in);
  const outbox = channel === "email" ? offer?.email_outbox : offer?.sms_outbox;
  if (outbox !== true) return null;
  return (
    <p className={styles.notice}>
      <Icon name="info" />
      <span>{t(channel === "email" ? "form.outbox" : "form.smsOutbox")}</span>
    </p>
  );
}
