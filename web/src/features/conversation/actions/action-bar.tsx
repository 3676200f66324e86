import type { ReactNode } from "react";
import { cx } from "../../../ui/cx.ts";
import styles from "./action-bar.module.css";

interface ActionBarProps {
  /** The accessible name of the group. */
  label: string;
  /** Whose message it stands under: at its left edge, or at the right one. */
  side: "start" | "end";
  /** Seen without being approached. */
  always: boolean;
  children: ReactNode;
}

/**
 * What can be done with a message, on one line under it: seen when the message is approached or has the focus, and
 * always on touch.
 */
export function ActionBar({ label, side, always, children }: ActionBarProps) {
  return (
    <div
      role="group"
      aria-label={label}
      className={cx(styles.bar, styles[side], always && styles.always)}
      data-uncopied=""
    >
      {children}
    </div>
  );
}
