import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { Icon } from "./icon.tsx";
import styles from "./standing-notice.module.css";

interface StandingNoticeProps {
  /** Of what it stands for: the focus that was meant for that comes here. */
  id: string;
  tone: "info" | "warning";
  /** What is not to be had, and why. */
  words: ReactNode;
  /** The way out, after the words. */
  children?: ReactNode;
}

/** Stands in the place of something that is not to be had, and is announced. */
export function StandingNotice({ id, tone, words, children }: StandingNoticeProps) {
  return (
    <div id={id} tabIndex={-1} role="status" className={cx(styles.notice, styles[tone])}>
      <Icon name={tone === "info" ? "info" : "alert"} />
      <p className={styles.words}>{words}</p>
      {children}
    </div>
  );
}
