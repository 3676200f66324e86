import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Icon } from "../../ui/icon.tsx";
import styles from "./form.module.css";

/** Without a mailer the codes lie with whoever runs the server: say so, or people wait for mail that never comes. */
export function OutboxNotice() {
  const engine = useEngine();
  const { t } = useTexts();
  const outbox = useSelector(engine.site.settings, ({ settings }) => settings?.sign_in.email_outbox === true);
  if (!outbox) return null;
  return (
    <p className={styles.notice}>
      <Icon name="info" />
      <span>{t("form.outbox")}</span>
    </p>
  );
}
