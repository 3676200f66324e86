import { useRef, type ReactNode } from "react";
import { useMarkdownLabels } from "./markdown-labels.ts";
import styles from "./markdown.module.css";
import { useScrollStop } from "./use-scroll-stop.ts";

interface TableFrameProps {
  children: ReactNode;
  lang?: string | undefined;
  dir?: "rtl" | undefined;
}

/** A table that scrolls inside its own frame, under a head that stays. */
export function TableFrame({ children, lang, dir }: TableFrameProps) {
  const labels = useMarkdownLabels();
  const frame = useRef<HTMLDivElement>(null);
  useScrollStop(frame);
  return (
    <div
      ref={frame}
      className={styles.tableFrame}
      role="group"
      aria-label={labels.table}
      lang={lang}
      dir={dir}
    >
      <table>{children}</table>
    </div>
  );
}
