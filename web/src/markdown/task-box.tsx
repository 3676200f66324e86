import { useMarkdownLabels } from "./markdown-labels.ts";
import styles from "./markdown.module.css";

/** The state of a task in a list; it cannot be changed here. */
export function TaskBox({ done }: { done: boolean }) {
  const labels = useMarkdownLabels();
  return (
    <input
      type="checkbox"
      className={styles.task}
      checked={done}
      disabled
      aria-label={done ? labels.taskDone : labels.taskOpen}
    />
  );
}
