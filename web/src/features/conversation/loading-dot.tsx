import styles from "./loading-dot.module.css";

/** Something comes, and nobody knows when. */
export function LoadingDot() {
  return <span className={styles.dot} aria-hidden="true" />;
}
