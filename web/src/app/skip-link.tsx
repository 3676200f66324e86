import { findComposer } from "../hooks/composer-element.ts";
import { useTexts } from "../i18n/use-texts.ts";
import styles from "./skip-link.module.css";

/** The first stop of the tab key: past the chats, to the place to write. */
export function SkipLink() {
  const { t } = useTexts();
  return (
    <button type="button" className={styles.link} onClick={() => findComposer()?.focus()}>
      {t("app.skipToComposer")}
    </button>
  );
}
