import { useTexts } from "../../i18n/use-texts.ts";
import { PasswordField } from "./password-field.tsx";

interface NewPasswordFieldsProps {
  labels: readonly [password: string, confirmation: string];
  password: string;
  confirmation: string;
  errors: readonly [password: string | null, confirmation: string | null];
  onPassword: (typed: string) => void;
  onConfirmation: (typed: string) => void;
  autoFocus?: boolean;
}

/** A password to be set, typed twice. */
export function NewPasswordFields(props: NewPasswordFieldsProps) {
  const { t } = useTexts();
  const { labels, errors } = props;
  return (
    <>
      <PasswordField
        name="password"
        label={labels[0]}
        value={props.password}
        error={errors[0]}
        hint={t("form.passwordHint")}
        autoComplete="new-password"
        autoFocus={props.autoFocus === true}
        onChange={(event) => props.onPassword(event.target.value)}
      />
      <PasswordField
        name="confirmation"
        label={labels[1]}
        value={props.confirmation}
        error={errors[1]}
        autoComplete="new-password"
        onChange={(event) => props.onConfirmation(event.target.value)}
      />
    </>
  );
}
