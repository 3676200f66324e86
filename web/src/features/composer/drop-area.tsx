import { createPortal } from "react-dom";
import { useTexts } from "../../i18n/use-texts.ts";
import { Icon } from "../../ui/icon.tsx";
import styles from "./drop-area.module.css";
import { useAttachBlock } from "./use-attach-block.ts";

/** Lies over the page while files are held over it: they can be dropped anywhere. */
export function DropArea({ sessionKey }: { sessionKey: string }) {
  const { t, show } = useTexts();
  const blocked = useAttachBlock(sessionKey);
  return createPortal(
    <div className={styles.area} data-blocked={blocked !== null}>
      <div className={styles.frame}>
        <Icon name={blocked === null ? "attach" : "alert"} />
        <p className={styles.title}>{blocked === null ? t("files.drop") : show(blocked)}</p>
        {blocked === null && <p className={styles.hint}>{t("files.dropHint")}</p>}
      </div>
    </div>,
    document.body,
  );
}
