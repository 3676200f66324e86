import { LIMITS } from "@plumb/protocol/limits";
import { useEffect, useReducer, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { TextKey } from "../../i18n/i18n.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { SidePanel, type SidePanelProps } from "../../ui/side-panel.tsx";
import styles from "./html-run.module.css";
import { emptyReport } from "./run-report.ts";
import { type StopReason, watchRun } from "./watch-run.ts";

interface HtmlRunProps {
  html: string;
  frame: Pick<SidePanelProps, "closing" | "modal" | "onClose">;
}

/** HTML of a reply, run in a page of its own, with what went wrong there. */
export function HtmlRun({ html, frame }: HtmlRunProps) {
  const { t } = useTexts();
  const [runs, runAgain] = useReducer((count: number) => count + 1, 0);
  const tooLong = html.length > LIMITS.runHtmlChars;
  return (
    <SidePanel
      {...frame}
      title={t("run.title")}
      closeLabel={t("common.close")}
      actions={!tooLong && <IconButton label={t("run.again")} icon="retry" onClick={runAgain} />}
    >
      {tooLong ? (
        <p className={styles.note}>{t("run.tooLong")}</p>
      ) : (
        <Run key={runs} html={html} title={t("run.title")} onRunAgain={runAgain} />
      )}
    </SidePanel>
  );
}

const stopped: Record<StopReason, TextKey> = {
  messages: "run.stoppedMessages",
  focus: "run.stoppedFocus",
  steps: "run.stoppedSteps",
  silence: "run.stoppedSilence",
};

/** One run: another one is another frame. */
function Run({ html, title, onRunAgain }: { html: string; title: string; onRunAgain: () => void }) {
  const { t } = useTexts();
  const page = useRef<HTMLIFrameElement>(null);
  const [report, setReport] = useState(emptyReport);
  const [reason, setReason] = useState<StopReason | null>(null);
  useEffect(() => {
    const frame = page.current;
    if (frame === null) return undefined;
    return watchRun(frame, {
      html,
      onReport: setReport,
      onStop(why) {
        // Out of the frame, which would take it along.
        if (document.activeElement === frame) frame.closest<HTMLElement>("[tabindex]")?.focus();
        // At once: what floods is taken away before its next message is looked at.
        flushSync(() => setReason(why));
      },
    });
  }, [html]);
  const { errors, blockedHosts } = report;
  return (
    <>
      {reason === null ? (
        <iframe
          ref={page}
          className={styles.page}
          src="/static/run.html"
          sandbox="allow-scripts"
          referrerPolicy="no-referrer"
          title={title}
        />
      ) : (
        <div className={styles.note}>
          <p role="alert">{t(stopped[reason])}</p>
          <Button onClick={onRunAgain}>{t("run.again")}</Button>
        </div>
      )}
      {/* Beside its words, so that a line that comes is said. */}
      <div className={styles.report} role="log" aria-label={t("run.report")}>
        {blockedHosts.length > 0 && (
          <p>
            {t("run.blocked")} <bdi>{blockedHosts.join(", ")}</bdi>
          </p>
        )}
        {errors.map((error) => (
          <p key={error} className={styles.error} dir="ltr">
            {error}
          </p>
        ))}
      </div>
    </>
  );
}
