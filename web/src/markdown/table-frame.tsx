import type { ReactNode } from "react";
import { useMarkdownLabels } from "./markdown-labels.ts";
import styles from "./markdown.module.css";

/** A table that scrolls inside its own frame, under a head that stays. */
export function TableFrame({ children, lang }: { children: ReactNode; lang?: string | undefined }) {
  const labels = useMarkdownLabels();
  return (
    <div className={styles.tableFrame} role="group" aria-label={labels.table} tabIndex={0} lang={lang}>
      <table>{children}</table>
    </div>
  );
}
