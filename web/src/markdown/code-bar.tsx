import { memo, type ReactNode } from "react";
import { BarWord } from "./bar-word.tsx";
import { CopyButton } from "./copy-button.tsx";
import { downloadText } from "./download.ts";
import { isRunnable } from "./is-runnable.ts";
import { useMarkdownLabels } from "./markdown-labels.ts";
import { RunButton } from "./run-button.tsx";
import styles from "./code-block.module.css";

export interface CodeBarProps {
  language: string;
  settled: boolean;
  /** The code at the time of the press; the same function all the while, so that the bar is not drawn again as the code grows. */
  code: () => string;
  /** Further presses. */
  actions?: ReactNode;
  /** Instead of the press that saves the code, where there is more to save. */
  downloads?: ReactNode;
}

/** The bar of a code block: its language and what can be done with it. */
export const CodeBar = memo(function CodeBar({
  language,
  settled,
  code,
  actions,
  downloads = false,
}: CodeBarProps) {
  const labels = useMarkdownLabels();
  return (
    <div className={styles.bar} data-uncopied="">
      <span className={styles.language}>{language === "" ? labels.plainText : language}</span>
      <span className={styles.actions}>
        {actions}
        {settled && isRunnable(language) && <RunButton language={language} code={code} />}
        <CopyButton text={code} />
        {downloads === false ? (
          <button type="button" onClick={() => void save(language, code())}>
            <BarWord icon="arrowDown" word={labels.download} />
          </button>
        ) : (
          downloads
        )}
      </span>
    </div>
  );
});

/** What names the file comes with the press; without it the code is saved all the same. */
async function save(language: string, code: string): Promise<void> {
  const name = await import("./code-file-name.ts").then(
    ({ codeFileName }) => codeFileName(language, code, new Date()),
    () => "code.txt",
  );
  downloadText(code, name);
}
