import type { ReactNode } from "react";
import { cx } from "../../ui/cx.ts";
import styles from "./setting-row.module.css";
import type { FileDrop } from "./use-file-drop.ts";

interface SettingRowProps {
  label: string;
  /** What the label does not say, below it. */
  note?: ReactNode;
  /** What makes it take files. */
  drop?: FileDrop;
  children: ReactNode;
}

/** A line of the settings: what it is about, and what can be done or chosen. */
export function SettingRow({ label, note, drop, children }: SettingRowProps) {
  const { isOver = false, ...dropping } = drop ?? {};
  return (
    <div className={cx(styles.row, isOver && styles.over)} {...dropping}>
      <div className={styles.words}>
        <div>{label}</div>
        {note !== undefined && <div className={styles.note}>{note}</div>}
      </div>
      {children}
    </div>
  );
}
