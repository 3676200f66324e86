import { LIMITS } from "@plumb/protocol/limits";
import { useTexts } from "../../i18n/use-texts.ts";
import { TextField } from "../../ui/text-field.tsx";

interface EmailFieldProps {
  value: string;
  error: string | null;
  onChange: (typed: string) => void;
}

export function EmailField({ value, error, onChange }: EmailFieldProps) {
  const { t } = useTexts();
  return (
    <TextField
      name="email"
      maxLength={LIMITS.emailChars}
      label={t("form.email")}
      value={value}
      error={error}
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
