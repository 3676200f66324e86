import { keepPhoneDigits } from "@plumb/protocol/rules/sign-in-rules";
import { useTexts } from "../../i18n/use-texts.ts";
import { TextField } from "../../ui/text-field.tsx";
import styles from "./form.module.css";

interface PhoneFieldProps {
  value: string;
  error: string | null;
  onChange: (digits: string) => void;
}

/** A mainland number: digits alone can be typed, and +86 stands before them. */
export function PhoneField({ value, error, onChange }: PhoneFieldProps) {
  const { t } = useTexts();
  return (
    <TextField
      name="mobile"
      label={t("form.phone")}
      value={value}
      error={error}
      leading={<span className={styles.prefix}>+86</span>}
      type="tel"
      inputMode="numeric"
      autoComplete="tel-national"
      autoFocus
      onChange={(event) => onChange(keepPhoneDigits(event.target.value))}
    />
  );
}
