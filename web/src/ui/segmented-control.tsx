import { useId } from "react";
import styles from "./segmented-control.module.css";

export interface SegmentedControlProps<V extends string> {
  label: string;
  value: V;
  /** A disabled one shows that it is there, and cannot be chosen. */
  options: { value: V; label: string; disabled?: boolean }[];
  onChange: (value: V) => void;
}

/** One choice of a few, all visible. */
export function SegmentedControl<V extends string>({
  label,
  value,
  options,
  onChange,
}: SegmentedControlProps<V>) {
  const name = useId();
  return (
    <div className={styles.control} role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  );
}
