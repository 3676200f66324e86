import type { ExportStatus } from "@plumb/protocol/wire/exports";
import { useEffect } from "react";
import type { ExportsState } from "../../engine/exports/create-exports.ts";
import type { OwnData } from "../../engine/exports/own-data.ts";
import { formatFileSize } from "../../engine/files/file-size.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import { minuteText } from "../../i18n/minute-text.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { downloadAddress } from "../../ui/download-address.ts";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import styles from "./export-row.module.css";
import { CodeComing } from "./code-coming.tsx";
import { SettingRow } from "./setting-row.tsx";

type Exports = OwnData["exports"];

interface ExportRowProps {
  /** Null while their code comes, and where it cannot be had. */
  exports: Exports | null;
  /** Asks once more for the code that could not be had. */
  retry: (() => void) | null;
}

/** All data as one file: begun, watched while it is made, downloaded. */
export function ExportRow({ exports, retry }: ExportRowProps) {
  const { t } = useTexts();
  useEffect(() => void exports?.look(), [exports]);
  if (exports !== null) return <ExportOfServer exports={exports} />;
  return (
    <SettingRow label={t("data.export")} note={t("data.exportNote")}>
      <CodeComing label={t("data.exportButton")} retry={retry} />
    </SettingRow>
  );
}

function ExportOfServer({ exports }: { exports: Exports }) {
  const { t } = useTexts();
  const state = useSelector(exports.store, (now) => now);
  const begin = () => void exports.begin();
  if (state.phase === "finished" && state.status !== null)
    return (
      <SettingRow
        label={t("data.export")}
        note={
          <>
            <ExportFacts status={state.status} />{" "}
            <button type="button" className={styles.again} disabled={state.beginning} onClick={begin}>
              {t("data.exportAgain")}
            </button>
          </>
        }
      >
        <Button variant="primary" onClick={() => void exports.download(downloadAddress)}>
          {t("data.download")}
        </Button>
      </SettingRow>
    );
  return (
    <SettingRow label={t("data.export")} note={<ExportNote {...state} />}>
      {state.failed ? (
        <Button onClick={() => void exports.look()}>{t("common.retry")}</Button>
      ) : (
        <Button loading={state.phase !== "none" || state.beginning} onClick={begin}>
          {t("data.exportButton")}
        </Button>
      )}
    </SettingRow>
  );
}

/** Of one that is there: when it was made, how large it is, until when it can be had. */
function ExportFacts({ status }: { status: ExportStatus }) {
  const { t } = useTexts();
  const { export_at: madeAt, expire_at: expiresAt, bytes } = status;
  const made = minuteText(madeAt ?? 0);
  const until = minuteText(expiresAt ?? 0);
  return (
    <>
      <Fact text={t("data.exported", { made, size: formatFileSize(bytes ?? 0) })} date={made} />{" "}
      <Fact text={t("data.goodUntil", { until })} date={until} />
    </>
  );
}

/** It breaks before it breaks inside, and never in its date, which has hyphens. */
function Fact({ text, date }: { text: string; date: string }) {
  const [before, after] = text.split(date);
  return (
    <span className={styles.fact}>
      {before}
      <span className={styles.date}>{date}</span>
      {after}
    </span>
  );
}

/** What an export is, or how far the one is that is being made. */
function ExportNote({ phase, status }: ExportsState) {
  const { t } = useTexts();
  if (phase !== "pending") return t("data.exportNote");
  const { sessions_done: done, sessions_total: total } = status ?? { sessions_done: 0, sessions_total: 0 };
  if (total === 0) return t("data.exportWaiting");
  return (
    <>
      {t("data.exportProgress", { done, total })}
      <ProgressBar label={t("data.export")} value={done} max={total} />
    </>
  );
}
