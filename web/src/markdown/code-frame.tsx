import type { ReactNode } from "react";
import { BarWord } from "./bar-word.tsx";
import { CodeLines } from "./code-lines.tsx";
import { codeFileName } from "./code-file-name.ts";
import { CopyButton } from "./copy-button.tsx";
import { downloadText } from "./download.ts";
import { useMarkdownLabels } from "./markdown-labels.ts";
import { RunButton } from "./run-button.tsx";
import styles from "./code-block.module.css";

export interface CodeFrameProps {
  language: string;
  chunks: readonly string[];
  settled: boolean;
  /** Further presses in the bar. */
  actions?: ReactNode;
  /** Instead of the press that saves the code, where there is more to save. */
  downloads?: ReactNode;
  /** Shown instead of the code. */
  children?: ReactNode;
}

/** The frame of a code block: a bar that stays in view with language and presses, the code below. */
export function CodeFrame({
  language,
  chunks,
  settled,
  actions,
  downloads = false,
  children,
}: CodeFrameProps) {
  const labels = useMarkdownLabels();
  const code = () => chunks.join("");
  return (
    <div className={styles.block}>
      <div className={styles.bar} data-uncopied="">
        <span className={styles.language}>{language === "" ? labels.plainText : language}</span>
        <span className={styles.actions}>
          {actions}
          {settled && <RunButton language={language} code={code} />}
          <CopyButton text={code} />
          {downloads === false ? (
            <button
              type="button"
              onClick={() => downloadText(code(), codeFileName(language, code(), new Date()))}
            >
              <BarWord icon="arrowDown" word={labels.download} />
            </button>
          ) : (
            downloads
          )}
        </span>
      </div>
      {children ?? <CodeLines language={language} chunks={chunks} settled={settled} />}
    </div>
  );
}
