import { useState } from "react";
import { useTexts } from "../../i18n/use-texts.ts";
import { Icon } from "../../ui/icon.tsx";
import { TextField, type TextFieldProps } from "../../ui/text-field.tsx";
import styles from "./password-field.module.css";

/** A password that can be shown. */
export function PasswordField(props: TextFieldProps) {
  const { t } = useTexts();
  const [shown, setShown] = useState(false);
  const name = shown ? t("form.hidePassword") : t("form.showPassword");
  return (
    <TextField
      {...props}
      type={shown ? "text" : "password"}
      autoCapitalize="none"
      spellCheck={false}
      trailing={
        <button
          type="button"
          className={styles.toggle}
          aria-label={name}
          title={name}
          onClick={() => setShown(!shown)}
        >
          <Icon name={shown ? "eyeOff" : "eye"} />
        </button>
      }
    />
  );
}
