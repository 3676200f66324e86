import { Button } from "./button.tsx";
import { cx } from "./cx.ts";
import { Icon } from "./icon.tsx";
import styles from "./toast.module.css";

export interface ToastProps {
  type: "info" | "success" | "warning" | "error";
  text: string;
  closeLabel: string;
  /** With the press that closes it. */
  onClose: (press: { detail: number }) => void;
  action?: { label: string; run: () => void } | undefined;
}

const icons = { info: "info", success: "success", warning: "alert", error: "alert" } as const;

/** One passing notice; its stack announces it. */
export function Toast({ type, text, closeLabel, onClose, action }: ToastProps) {
  return (
    <div className={cx(styles.toast, styles[type])}>
      <Icon name={icons[type]} />
      <span className={styles.text}>{text}</span>
      {action && (
        <Button
          variant="ghost"
          onClick={(press) => {
            onClose(press);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <button type="button" className={styles.close} aria-label={closeLabel} onClick={onClose}>
        <Icon name="close" small />
      </button>
    </div>
  );
}
