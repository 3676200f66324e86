import { Link } from "wouter";
import { HOME } from "../../engine/reactions.ts";
import { composerElementId } from "../../hooks/composer-element.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { StandingNotice } from "../../ui/standing-notice.tsx";
import styles from "./gone-notice.module.css";

/** Stands in the place of the composer of a chat whose persona was deleted, or of one that never was. */
export function GoneNotice({ isChat }: { isChat: boolean }) {
  const { t, show } = useTexts();
  return (
    <StandingNotice
      id={composerElementId}
      tone="info"
      words={show({ key: isChat ? "characterDeleted" : "characterNotFound" })}
    >
      <Link href={HOME} className={styles.leave}>
        {t("common.newChat")}
      </Link>
    </StandingNotice>
  );
}
