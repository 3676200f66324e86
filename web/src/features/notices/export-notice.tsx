import { formatFileSize } from "../../engine/files/file-size.ts";
import type { OwnData } from "../../engine/exports/own-data.ts";
import { findComposer } from "../../hooks/composer-element.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useOwnData } from "../../hooks/use-own-data.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import { minuteText } from "../../i18n/minute-text.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { downloadAddress } from "../../ui/download-address.ts";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import styles from "./export-notice.module.css";

/** Says that the export is there, until it is downloaded or this is closed. */
export function ExportNotice() {
  const engine = useEngine();
  const shown = useSelector(engine.site.overlays, (state) => state.exported);
  const { part } = useOwnData();
  // Always there: a region that comes with its text is not read out.
  return (
    <div className={styles.place} role="status">
      {shown && part !== null && <Shown exports={part.exports} />}
    </div>
  );
}

function Shown({ exports }: Pick<OwnData, "exports">) {
  const { t } = useTexts();
  const status = useSelector(exports.store, (state) => state.status);
  return (
    <div className={styles.notice}>
      <Icon name="success" />
      <div className={styles.words}>
        <div className={styles.title}>{t("data.exportThere")}</div>
        <div className={styles.facts}>
          <div>{formatFileSize(status?.bytes ?? 0)}</div>
          <div>{t("data.goodUntil", { until: minuteText(status?.expire_at ?? 0) })}</div>
        </div>
        <Button
          variant="primary"
          className={styles.download}
          onClick={() => {
            void exports.download(downloadAddress);
            findComposer()?.focus();
          }}
        >
          {t("data.download")}
        </Button>
      </div>
      <IconButton
        label={t("common.close")}
        icon="close"
        small
        onClick={() => {
          exports.closeNotice();
          findComposer()?.focus();
        }}
      />
    </div>
  );
}
