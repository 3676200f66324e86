import type { ReactNode } from "react";
import type { AlertKind } from "./block-rules.ts";
import { useMarkdownLabels } from "./markdown-labels.ts";
import { cx } from "../ui/cx.ts";
import styles from "./markdown.module.css";

export interface AlertNoteProps {
  kind: AlertKind;
  /** With the note right above it, which was too long for one. */
  goesOn: boolean;
  /** That of its first words. */
  dir: "rtl" | undefined;
  children?: ReactNode;
}

/** A quotation that is a note, tip or warning, under a word that says so. */
export function AlertNote({ kind, goesOn, dir, children }: AlertNoteProps) {
  const labels = useMarkdownLabels();
  return (
    <div className={cx(styles.alert, goesOn && styles.goesOn)} data-kind={kind} role="note" dir={dir}>
      {!goesOn && <p className={styles.alertTitle}>{labels.alerts[kind]}</p>}
      {children}
    </div>
  );
}
