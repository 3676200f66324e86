import type { ReactNode } from "react";
import type { AlertKind } from "./block-rules.ts";
import { useMarkdownLabels } from "./markdown-labels.ts";
import styles from "./markdown.module.css";

/** A quotation that is a note, tip or warning, under a word that says so. */
export function AlertNote({ kind, children }: { kind: AlertKind; children?: ReactNode }) {
  const labels = useMarkdownLabels();
  return (
    <div className={styles.alert} data-kind={kind} role="note">
      <p className={styles.alertTitle}>{labels.alerts[kind]}</p>
      {children}
    </div>
  );
}
