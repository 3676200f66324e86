import type { ButtonHTMLAttributes, Ref } from "react";
import styles from "./button.module.css";
import { cx } from "./cx.ts";
import { Spinner } from "./spinner.tsx";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: "primary" | "secondary" | "ghost" | "danger";
  size?: "medium" | "large";
  /** Shows a spinner over the label and refuses presses; the width stays. */
  loading?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** A press with words. */
export function Button({
  variant = "secondary",
  size = "medium",
  loading = false,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(styles.button, styles[variant], styles[size], loading && styles.loading, className)}
      disabled={disabled === true || loading}
      aria-busy={loading || undefined}
    >
      <span className={styles.label}>{children}</span>
      {loading && (
        <span className={styles.spinner}>
          <Spinner />
        </span>
      )}
    </button>
  );
}
