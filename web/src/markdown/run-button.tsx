import { BarWord } from "./bar-word.tsx";
import { useMarkdownLabels } from "./markdown-labels.ts";
import { isRunnable } from "./is-runnable.ts";

interface RunButtonProps {
  language: string;
  code: () => string;
}

/** Runs the code of a complete block, where it can be run and the page has a place for that. */
export function RunButton({ language, code }: RunButtonProps) {
  const { run, onRun } = useMarkdownLabels();
  if (onRun === undefined || !isRunnable(language)) return null;
  return (
    <button type="button" onClick={() => onRun(language, code())}>
      <BarWord icon="play" word={run} />
    </button>
  );
}
