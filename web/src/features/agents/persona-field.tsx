import { codePointLength } from "@plumb/protocol/rules/code-points";
import { useId, type ReactNode, type Ref } from "react";
import { cx } from "../../ui/cx.ts";
import box from "../../ui/text-field.module.css";
import styles from "./persona-field.module.css";

interface PersonaFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Characters it may have. More can be typed, so that nothing of a pasted text is lost, and is counted in red. */
  max: number;
  error: string | null;
  hint?: ReactNode;
  /** Lines of a text of many; absent: one line. */
  rows?: number;
  placeholder?: string;
  ref?: Ref<HTMLInputElement & HTMLTextAreaElement>;
}

/** A text of a persona, with how much of its room it takes. */
export function PersonaField(props: PersonaFieldProps) {
  const { label, value, onChange, max, error, hint, rows, placeholder, ref } = props;
  const id = useId();
  const chars = codePointLength(value.trim());
  const shared = {
    id,
    ref,
    value,
    placeholder,
    autoComplete: "off",
    "aria-invalid": error !== null,
    "aria-describedby": `${id}note ${id}count`,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  };
  return (
    <div>
      <label className={box.label} htmlFor={id}>
        {label}
      </label>
      <div className={cx(box.box, styles.box, error !== null && box.invalid)}>
        {rows === undefined ? (
          <input {...shared} className={box.input} />
        ) : (
          <textarea {...shared} className={cx(box.input, styles.area)} rows={rows} dir="auto" />
        )}
      </div>
      <div className={styles.below}>
        <span
          id={`${id}note`}
          className={cx(box.note, styles.note, error !== null && box.error)}
          role={error === null ? undefined : "alert"}
        >
          {error ?? hint}
        </span>
        <span id={`${id}count`} className={cx(box.note, styles.count, chars > max && box.error)}>
          {chars} / {max}
        </span>
      </div>
    </div>
  );
}
