import type { ImportSkip, ImportStatus } from "@plumb/protocol/wire/imports";
import { useEffect, useRef } from "react";
import type { OwnData } from "../../engine/exports/own-data.ts";
import type { ImportProblem, ImportsState } from "../../engine/imports/create-imports.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import type { TextKey } from "../../i18n/i18n.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import { CodeComing } from "./code-coming.tsx";
import styles from "./import-row.module.css";
import { SettingRow } from "./setting-row.tsx";
import { useFileDrop } from "./use-file-drop.ts";

type Imports = OwnData["imports"];

interface ImportRowProps {
  /** Null while their code comes, and where it cannot be had. */
  imports: Imports | null;
  /** Asks once more for the code that could not be had. */
  retry: (() => void) | null;
}

/** Conversations of elsewhere: a file is chosen, followed with its numbers, and what came of it told. */
export function ImportRow({ imports, retry }: ImportRowProps) {
  const { t } = useTexts();
  useEffect(() => void imports?.look(), [imports]);
  if (imports !== null) return <ImportOfServer imports={imports} />;
  return (
    <SettingRow label={t("import.label")} note={t("import.note")}>
      <CodeComing label={t("import.choose")} retry={retry} />
    </SettingRow>
  );
}

function ImportOfServer({ imports }: { imports: Imports }) {
  const { t } = useTexts();
  const state = useSelector(imports.store, (now) => now);
  const input = useRef<HTMLInputElement>(null);
  const isGoing = state.phase === "sending" || state.phase === "going";
  const isReady = !isGoing && state.phase !== "unknown";
  const drop = useFileDrop(isReady, (file) => void imports.send(file));
  return (
    <SettingRow label={t("import.label")} note={<SteadyNote {...state} />} drop={drop}>
      {isGoing ? (
        <Button onClick={() => void imports.cancel()}>{t("common.cancel")}</Button>
      ) : state.failed ? (
        <Button onClick={() => void imports.look()}>{t("common.retry")}</Button>
      ) : (
        <Button loading={state.phase === "unknown"} onClick={() => input.current?.click()}>
          {t("import.choose")}
        </Button>
      )}
      <input
        ref={input}
        className={styles.input}
        type="file"
        accept=".zip,.json,application/zip,application/json"
        aria-label={t("import.choose")}
        tabIndex={-1}
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) void imports.send(file);
          // The same file can be chosen once more.
          currentTarget.value = "";
        }}
      />
    </SettingRow>
  );
}

/** As high as what can be imported takes, whatever else stands there: what is below does not jump with each file. */
function SteadyNote(state: ImportsState) {
  const { t } = useTexts();
  return (
    <div className={styles.steady}>
      <span className={styles.room} aria-hidden>
        {t("import.note")}
      </span>
      <div>
        <ImportNote {...state} />
      </div>
    </div>
  );
}

/** What can be imported, how far it is, or what came of the newest file. */
function ImportNote({ phase, status, sending, refused }: ImportsState) {
  const { t } = useTexts();
  return (
    <>
      {sending !== null ? (
        <Progress text={t("import.sending", sending)} value={sending.percent} max={100} />
      ) : phase === "going" && status !== null ? (
        <Going status={status} />
      ) : phase === "ended" && status !== null && refused === null ? (
        <Ended status={status} />
      ) : (
        t("import.note")
      )}
      {refused !== null && (
        <p className={styles.problem} role="alert" dir="auto">
          {t("import.ofFile", { name: refused.name, text: t(PROBLEM_TEXTS[refused.why]) })}
        </p>
      )}
    </>
  );
}

const PROBLEM_TEXTS: Record<ImportProblem, TextKey> = {
  unsupported: "import.unsupported",
  "too-large": "import.tooLarge",
  "too-often": "import.tooOften",
  running: "import.running",
  "storage-full": "import.storageFull",
  muted: "import.muted",
  network: "import.network",
  failed: "import.failed",
};

function Progress({ text, value, max }: { text: string; value: number; max: number }) {
  const { t } = useTexts();
  return (
    <>
      <span dir="auto">{text}</span>
      <ProgressBar label={t("import.label")} value={value} max={max} />
    </>
  );
}

function Going({ status }: { status: ImportStatus }) {
  const { t } = useTexts();
  const { file_name: name, sessions_done: done, sessions_total: total } = status;
  if (status.status === "QUEUED") return t("import.waiting");
  if (total === 0) return <span dir="auto">{t("import.reading", { name })}</span>;
  return <Progress text={t("import.progress", { done, total })} value={done} max={total} />;
}

const ERROR_TEXTS: Record<NonNullable<ImportStatus["error"]>, TextKey> = {
  UNSUPPORTED_FORMAT: "import.unsupported",
  UNREADABLE: "import.unreadable",
  LOCKED: "import.locked",
  TOO_LARGE: "import.holdsTooMuch",
  INTERRUPTED: "import.failed",
  STORAGE_FULL: "import.storageFull",
};

/** Where something came: its end was not all that there is to say. */
const PARTLY_TEXTS: typeof ERROR_TEXTS = {
  ...ERROR_TEXTS,
  UNREADABLE: "import.partlyUnreadable",
  INTERRUPTED: "import.partlyFailed",
};

/** How many came, and what was left out and why. */
function Ended({ status }: { status: ImportStatus }) {
  const { t, locale } = useTexts();
  const { file_name: name, sessions_done: done, sessions_skipped: skipped, error } = status;
  const taken = done - skipped;
  const sentences = [
    status.status === "CANCELLED" && t("import.cancelled"),
    (error === null || taken > 0) && t("import.taken", { count: taken, name }),
    error !== null &&
      (taken > 0 ? t(PARTLY_TEXTS[error]) : t("import.ofFile", { name, text: t(ERROR_TEXTS[error]) })),
  ].filter((sentence) => sentence !== false);
  return (
    <>
      {/* A Chinese full stop brings its own blank. */}
      <span dir="auto">{sentences.join(locale === "zh_CN" ? "" : " ")}</span>
      {skipped > 0 && (
        <details className={styles.skipped}>
          <summary>{t("import.skipped", { count: skipped })}</summary>
          <ul>
            {status.skipped.map(({ reason, count, titles }) => (
              <li key={reason}>
                {t(SKIP_TEXTS[reason], { count })}
                {titles.length > 0 && (
                  <span className={styles.titles} dir="auto">
                    {titles.join(" · ")}
                    {count > titles.length && " …"}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

const SKIP_TEXTS: Record<ImportSkip, TextKey> = {
  IMPORTED_BEFORE: "import.skipBefore",
  EMPTY: "import.skipEmpty",
  UNREADABLE: "import.skipUnreadable",
  TOO_LARGE: "import.skipTooLarge",
  TOO_MANY_MESSAGES: "import.skipTooManyMessages",
  TOO_MANY: "import.skipTooMany",
};
