import styles from "./progress-bar.module.css";

interface ProgressBarProps {
  label: string;
  value: number;
  max: number;
}

/** How much of something is done, below the words that tell it. */
export function ProgressBar({ label, value, max }: ProgressBarProps) {
  return <progress className={styles.bar} aria-label={label} value={value} max={max} />;
}
