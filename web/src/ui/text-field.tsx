import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from "react";
import { cx } from "./cx.ts";
import styles from "./text-field.module.css";

export interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  /** Shown under the field and announced. */
  error?: string | null;
  /** A quiet line under the field while there is no error. */
  hint?: ReactNode;
  /** Lines kept for what stands under the field, so that a long error moves nothing. */
  noteLines?: 1 | 2;
  /** What stands before what is typed. */
  leading?: ReactNode;
  /** A control inside the field, at its end. */
  trailing?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/** One line of input: label above, error under it. */
export function TextField(props: TextFieldProps) {
  const { label, error = null, hint, noteLines = 1, leading, trailing, className, ...input } = props;
  const id = useId();
  const noteId = `${id}note`;
  const noted = error !== null || hint !== undefined;
  return (
    <div className={className}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={cx(styles.box, error !== null && styles.invalid)}>
        {leading}
        <input
          {...input}
          id={id}
          className={styles.input}
          aria-invalid={error !== null}
          aria-describedby={noted ? noteId : undefined}
        />
        {trailing}
      </div>
      <div
        id={noteId}
        className={cx(styles.note, noteLines === 2 && styles.twoLines, error !== null && styles.error)}
        role={error === null ? undefined : "alert"}
      >
        {error ?? hint}
      </div>
    </div>
  );
}
