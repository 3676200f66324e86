import { BarWord } from "./bar-word.tsx";
import { useMarkdownLabels } from "./markdown-labels.ts";

interface RunButtonProps {
  language: string;
  code: () => string;
}

/** Runs the code of a complete block that can be run, where the page has a place for that. */
export function RunButton({ language, code }: RunButtonProps) {
  const { run, onRun } = useMarkdownLabels();
  if (onRun === undefined) return null;
  return (
    <button type="button" onClick={() => onRun(language, code())}>
      <BarWord icon="play" word={run} />
    </button>
  );
}
