import { useState, type ReactNode } from "react";
import { CodeBar } from "./code-bar.tsx";
import { CodeLines } from "./code-lines.tsx";
import { useLatest } from "./use-latest.ts";
import styles from "./code-block.module.css";

export interface CodeFrameProps {
  language: string;
  chunks: readonly string[];
  settled: boolean;
  /** Further presses in the bar. */
  actions?: ReactNode;
  /** Instead of the press that saves the code, where there is more to save. */
  downloads?: ReactNode;
  /** What is shown instead takes other room, and is not here yet. */
  waits?: boolean;
  /** Shown instead of the code. */
  children?: ReactNode;
}

/** The frame of a code block: a bar that stays in view with language and presses, the code below. */
export function CodeFrame({
  language,
  chunks,
  settled,
  actions,
  downloads,
  waits,
  children,
}: CodeFrameProps) {
  const latest = useLatest(chunks);
  const [code] = useState(() => () => latest().join(""));
  return (
    <div
      className={styles.block}
      data-waits={waits || undefined}
      data-diagram={settled && language === "mermaid" ? chunks.join("") : undefined}
    >
      <CodeBar language={language} settled={settled} code={code} actions={actions} downloads={downloads} />
      {children ?? <CodeLines language={language} chunks={chunks} settled={settled} />}
    </div>
  );
}
