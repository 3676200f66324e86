import type { ReactNode } from "react";
import { passKeyFocus } from "../../hooks/composer-element.ts";
import { cx } from "../../ui/cx.ts";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import styles from "./notice-bar.module.css";

interface NoticeBarProps {
  type: "info" | "warning" | "error";
  /** Absent: it cannot be closed. */
  onClose?: (() => void) | undefined;
  closeLabel: string;
  children: ReactNode;
}

/** A line over the whole page, which makes room for it. */
export function NoticeBar({ type, onClose, closeLabel, children }: NoticeBarProps) {
  return (
    <div className={cx(styles.bar, styles[type])} data-notice={type}>
      <Icon name={type === "info" ? "info" : "alert"} small />
      <p className={styles.words} dir="auto">
        {children}
      </p>
      {onClose && (
        <IconButton
          label={closeLabel}
          icon="close"
          small
          onClick={(press) => {
            onClose();
            passKeyFocus(press);
          }}
        />
      )}
    </div>
  );
}
