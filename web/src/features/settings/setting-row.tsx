import type { ReactNode } from "react";
import styles from "./setting-row.module.css";

interface SettingRowProps {
  label: string;
  /** What the label does not say, below it. */
  note?: ReactNode;
  children: ReactNode;
}

/** A line of the settings: what it is about, and what can be done or chosen. */
export function SettingRow({ label, note, children }: SettingRowProps) {
  return (
    <div className={styles.row}>
      <div className={styles.words}>
        <div>{label}</div>
        {note !== undefined && <div className={styles.note}>{note}</div>}
      </div>
      {children}
    </div>
  );
}
