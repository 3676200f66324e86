import styles from "./skeleton.module.css";

/** A bar that keeps the place of a line of text; `width` in per cent. */
export function Skeleton({ width = 100 }: { width?: number }) {
  return <span className={styles.skeleton} style={{ width: `${width}%` }} aria-hidden="true" />;
}
