import { memo, useRef, useState } from "react";
import { copyText } from "../ui/copy-text.ts";
import { BarWord } from "./bar-word.tsx";
import { useMarkdownLabels } from "./markdown-labels.ts";

/** As for every copy button: LIMITS.copyFeedbackMs, which this folder may not import. */
const copiedShownMs = 1000;

const answerIcons = { copy: "copy", copied: "check", copyFailed: "alert" } as const;

/** Copies and says so for a second. */
export const CopyButton = memo(function CopyButton({ text }: { text: () => string }) {
  const labels = useMarkdownLabels();
  const [answer, setAnswer] = useState<"copied" | "copyFailed" | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const say = (done: boolean) => {
    clearTimeout(timer.current);
    setAnswer(done ? "copied" : "copyFailed");
    timer.current = setTimeout(() => setAnswer(null), copiedShownMs);
  };
  return (
    <button type="button" onClick={() => void copyText(text()).then(say)}>
      <BarWord icon={answerIcons[answer ?? "copy"]} word={labels[answer ?? "copy"]} live />
    </button>
  );
});
