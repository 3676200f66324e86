import type { Share } from "@plumb/protocol/wire/sharing";
import { sharePath } from "../../engine/sharing/share-path.ts";
import { momentText } from "../../i18n/moment-text.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import rows from "../../ui/dialog-rows.module.css";
import { IconButton } from "../../ui/icon-button.tsx";
import { CopyLink } from "./copy-link.tsx";
import styles from "./shared-links.module.css";

interface LinkRowProps {
  share: Share;
  title: string;
  onDelete: () => void;
}

/** One of the user's shared links: what it leads to, since when, whether anybody can read it, and what can be done with it. */
export function LinkRow({ share, title, onDelete }: LinkRowProps) {
  const { t, locale } = useTexts();
  const path = sharePath(share.share_id);
  return (
    <li className={rows.row}>
      <div className={styles.words}>
        <a className={styles.title} href={path} target="_blank" rel="noopener" dir="auto">
          {title}
        </a>
        <div className={styles.date}>
          <span>{t("shareLinks.sharedAt", { date: momentText(share.created_at, locale) })}</span>
          {share.questions !== undefined && (
            <span className={styles.questions}>{t("shareLinks.questions", { count: share.questions })}</span>
          )}
        </div>
        {share.disabled && <div className={styles.disabled}>{t("shareLinks.disabled")}</div>}
      </div>
      <CopyLink path={path} label={t("shareLinks.copy", { title })} />
      <IconButton
        label={t("shareLinks.deleteNamed", { title })}
        tip={t("common.delete")}
        icon="trash"
        onClick={onDelete}
      />
    </li>
  );
}
