import type { ReactNode } from "react";
import styles from "./file-grid.module.css";

interface FileGridProps {
  /** The accessible name of the list. */
  label: string;
  /** At the end of the line, as a user's turn is. */
  atEnd?: boolean;
  children: ReactNode;
}

/** Tiles of files side by side: two on a line that is narrow, else three (requirements 1§9). */
export function FileGrid({ label, atEnd = false, children }: FileGridProps) {
  return (
    <div className={styles.room}>
      <ul className={styles.grid} data-end={atEnd} aria-label={label}>
        {children}
      </ul>
    </div>
  );
}

/** The places of tiles whose code is still on its way. */
export function FilePlaces({ count, atEnd = false }: { count: number; atEnd?: boolean }) {
  return (
    <div className={styles.room}>
      <div className={styles.grid} data-end={atEnd}>
        {Array.from({ length: count }, (_, index) => (
          <div key={index} className={styles.place} />
        ))}
      </div>
    </div>
  );
}
