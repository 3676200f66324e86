import { LIMITS } from "@plumb/protocol/limits";
import { identifierKind } from "@plumb/protocol/rules/sign-in-rules";
import { useRef, useState, type FormEvent, type ReactNode } from "react";
import type { Text } from "../../engine/text.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import type { TextKey } from "../../i18n/i18n.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { resultOf } from "./form-call.ts";
import styles from "./form.module.css";
import { LegalText } from "./legal-text.tsx";
import { OtherWay } from "./other-way.tsx";
import { PasswordField } from "./password-field.tsx";
import { useTypedIdentifier } from "./typed-identifier.ts";

interface PasswordFormProps {
  /** Something was typed into it. */
  onTyped: () => void;
  children?: ReactNode;
}

/** Sign-in by password, and under its button other ways. The route guard decides where it leads. */
export function PasswordForm({ onTyped, children }: PasswordFormProps) {
  const engine = useEngine();
  const { t, show } = useTexts();
  const typed = useTypedIdentifier();
  const [identifier, setIdentifier] = useState(typed.current);
  const [password, setPassword] = useState("");
  const [errors, setErrors] = useState<{ identifier?: TextKey; password?: TextKey }>({});
  const [problem, setProblem] = useState<Text | null>(null);
  const [busy, setBusy] = useState(false);
  const identifierField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const canSignUp = useSelector(
    engine.site.settings,
    ({ settings }) =>
      settings === null || (settings.sign_in.registration_open && settings.sign_in.sign_up.length > 0),
  );

  async function submit(event: FormEvent) {
    event.preventDefault();
    const found: typeof errors = {};
    const kind = identifierKind(identifier);
    if (kind === "empty") found.identifier = "form.identifierEmpty";
    else if (kind === "invalid") found.identifier = "form.identifierInvalid";
    if (password === "") found.password = "form.passwordEmpty";
    setErrors(found);
    setProblem(null);
    if (found.identifier !== undefined) return identifierField.current?.focus();
    if (found.password !== undefined) return passwordField.current?.focus();
    setBusy(true);
    const result = await resultOf(() => engine.accounts.signIn({ identifier: identifier.trim(), password }));
    setBusy(false);
    if (!result.ok) setProblem(result.text);
  }

  return (
    <form className={styles.form} noValidate onInput={onTyped} onSubmit={(event) => void submit(event)}>
      <TextField
        ref={identifierField}
        label={t("form.identifier")}
        maxLength={LIMITS.emailChars}
        value={identifier}
        error={errors.identifier === undefined ? null : t(errors.identifier)}
        type="text"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        onChange={({ target }) => {
          typed.current = target.value;
          setIdentifier(target.value);
        }}
      />
      <PasswordField
        ref={passwordField}
        label={t("form.password")}
        value={password}
        error={errors.password === undefined ? problem && show(problem) : t(errors.password)}
        noteLines={2}
        autoComplete="current-password"
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button className={styles.submit} variant="primary" size="large" type="submit" loading={busy}>
        {t("form.signIn")}
      </Button>
      {children}
      <OtherWay to="/forgot_password" text={t("form.forgot")} />
      {canSignUp && <OtherWay question={t("form.noAccount")} to="/sign_up" text={t("form.signUp")} />}
      <p className={styles.fine}>
        <LegalText sentence="form.signInConsent" />
      </p>
    </form>
  );
}
