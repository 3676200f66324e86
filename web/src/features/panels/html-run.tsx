import { LIMITS } from "@plumb/protocol/limits";
import { useEffect, useReducer, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTexts } from "../../i18n/use-texts.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { SidePanel, type SidePanelProps } from "../../ui/side-panel.tsx";
import styles from "./html-run.module.css";
import { addToReport, emptyReport, isFlooding, readRunMessage } from "./run-report.ts";

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
        <Run key={runs} html={html} title={t("run.title")} />
      )}
    </SidePanel>
  );
}

/** One run: another one is another frame. */
function Run({ html, title }: { html: string; title: string }) {
  const { t } = useTexts();
  const page = useRef<HTMLIFrameElement>(null);
  const [report, setReport] = useState(emptyReport);
  const stopped = isFlooding(report);
  useEffect(() => {
    if (stopped) return undefined;
    let given = false;
    let counted = emptyReport;
    function receive(event: MessageEvent<unknown>) {
      const target = page.current?.contentWindow;
      if (target == null || event.source !== target) return;
      const { data } = event;
      if (readRunMessage(data)?.kind === "ready" && !given) {
        given = true;
        // The page has no origin that could be named; what it is told is what it shows.
        target.postMessage(html, "*");
      }
      // Counted here and not when React comes to it: no event waits there with what it carries, of whatever size.
      counted = addToReport(counted, data);
      // What floods is taken away before its next message is looked at.
      if (isFlooding(counted)) flushSync(() => setReport(counted));
      else setReport(counted);
    }
    window.addEventListener("message", receive);
    return () => window.removeEventListener("message", receive);
  }, [html, stopped]);
  const { errors, blockedHosts } = report;
  return (
    <>
      {stopped ? (
        <p className={styles.note}>{t("run.stopped")}</p>
      ) : (
        <iframe
          ref={page}
          className={styles.page}
          src="/static/run.html"
          sandbox="allow-scripts"
          referrerPolicy="no-referrer"
          title={title}
        />
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
