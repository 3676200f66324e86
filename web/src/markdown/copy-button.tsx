import { useEffect, useState } from "react";
import { copyText } from "../ui/copy-text.ts";
import { useMarkdownLabels } from "./markdown-labels.ts";

const answerShownMilliseconds = 2000;

/** Copies and says so for two seconds. */
export function CopyButton({ text }: { text: () => string }) {
  const labels = useMarkdownLabels();
  const [answer, setAnswer] = useState<"copied" | "copyFailed" | null>(null);
  useEffect(() => {
    if (answer === null) return undefined;
    const timer = setTimeout(() => setAnswer(null), answerShownMilliseconds);
    return () => clearTimeout(timer);
  }, [answer]);
  return (
    <button
      type="button"
      onClick={() => void copyText(text()).then((done) => setAnswer(done ? "copied" : "copyFailed"))}
    >
      <span aria-live="polite">{labels[answer ?? "copy"]}</span>
    </button>
  );
}
