import type { ThinkFragment as Think } from "@plumb/protocol/conversation/fragment";
import { useEffect, useId, useState } from "react";
import { useTexts } from "../../../i18n/use-texts.ts";
import { cx } from "../../../ui/cx.ts";
import type { Growing } from "../../../markdown/parse-env.ts";
import { Icon } from "../../../ui/icon.tsx";
import { RevealedMarkdown } from "./revealed-markdown.tsx";
import styles from "./think-fragment.module.css";

interface ThinkFragmentProps {
  fragment: Think;
  /** The reply is still being written. */
  running: boolean;
  /** It is this fragment that is being written, or was cut. */
  growing: Growing;
  /** Nothing came after it. */
  isLast: boolean;
}

/**
 * The model's reasoning behind one quiet line. It is open while its reply runs, after a reload too, and then stays as
 * it is, since closing it would move what is being read; that of a finished reply starts closed.
 */
export function ThinkFragment({ fragment, running, growing: text, isLast }: ThinkFragmentProps) {
  const growing = text === true;
  const { t } = useTexts();
  const contentId = useId();
  const [open, setOpen] = useState(running);
  useEffect(() => {
    if (growing) setOpen(true);
  }, [growing]);

  const seconds = fragment.elapsed_secs;
  // Of a thought of elsewhere it may be unknown how long it took: it was not cut short where an answer follows.
  const label = growing
    ? t("think.running")
    : seconds === null
      ? t(isLast ? "think.stopped" : "think.over")
      : t("think.done", { count: Math.max(1, Math.round(seconds)) });
  return (
    <section className={styles.think}>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={open}
        aria-controls={open ? contentId : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon name="think" small />
        <span className={cx(growing && styles.shimmer)}>{label}</span>
        <span className={cx(styles.chevron, open && styles.turned)}>
          <Icon name="chevronDown" small />
        </span>
      </button>
      {open && (
        <div id={contentId} className={styles.content}>
          <RevealedMarkdown text={fragment.content} streaming={text} />
        </div>
      )}
    </section>
  );
}
