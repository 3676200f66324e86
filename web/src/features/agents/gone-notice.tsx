import { Link } from "wouter";
import { HOME } from "../../engine/reactions.ts";
import { composerElementId } from "../../hooks/composer-element.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Icon } from "../../ui/icon.tsx";
import styles from "./gone-notice.module.css";

/** Stands in the place of the composer of a chat whose persona was deleted, or of one that never was. */
export function GoneNotice({ isChat }: { isChat: boolean }) {
  const { t, show } = useTexts();
  return (
    <div id={composerElementId} tabIndex={-1} role="status" className={styles.notice}>
      <Icon name="info" />
      <p className={styles.words}>{show({ key: isChat ? "characterDeleted" : "characterNotFound" })}</p>
      <Link href={HOME} className={styles.leave}>
        {t("common.newChat")}
      </Link>
    </div>
  );
}
