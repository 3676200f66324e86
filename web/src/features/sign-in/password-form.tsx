import { LIMITS } from "@plumb/protocol/limits";
import { useRef, useState, type FormEvent, type ReactNode } from "react";
import { Link, useSearch } from "wouter";
import type { Text } from "../../engine/text.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import type { TextKey } from "../../i18n/i18n.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/text-field.tsx";
import styles from "./form.module.css";
import { identifierRules } from "./identifier-rules.ts";
import { LegalText } from "./legal-text.tsx";
import { PasswordField } from "./password-field.tsx";

/** Sign-in by password, and under its button other ways. The route guard decides where it leads. */
export function PasswordForm({ children }: { children?: ReactNode }) {
  const engine = useEngine();
  const { t, show } = useTexts();
  const search = useSearch();
  const [identifier, setIdentifier] = useState("");
  const [password, setPassword] = useState("");
  const [errors, setErrors] = useState<{ identifier?: TextKey; password?: TextKey }>({});
  const [problem, setProblem] = useState<Text | null>(null);
  const [busy, setBusy] = useState(false);
  const identifierField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const rules = useSelector(engine.site.settings, ({ settings }) =>
    identifierRules(settings?.sign_in.methods ?? []),
  );
  const canSignUp = useSelector(
    engine.site.settings,
    ({ settings }) =>
      settings === null || (settings.sign_in.registration_open && settings.sign_in.sign_up.length > 0),
  );

  async function submit(event: FormEvent) {
    event.preventDefault();
    const found: typeof errors = {};
    const wrong = rules.problem(identifier);
    if (wrong !== undefined) found.identifier = wrong;
    if (password === "") found.password = "form.passwordEmpty";
    setErrors(found);
    setProblem(null);
    if (found.identifier !== undefined) return identifierField.current?.focus();
    if (found.password !== undefined) return passwordField.current?.focus();
    setBusy(true);
    const result = await engine.accounts.signIn({ identifier: identifier.trim(), password });
    setBusy(false);
    if (!result.ok) setProblem(result.text);
  }

  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        ref={identifierField}
        label={t(rules.label)}
        maxLength={LIMITS.emailChars}
        value={identifier}
        error={errors.identifier === undefined ? null : t(errors.identifier)}
        type="text"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        onChange={(event) => setIdentifier(event.target.value)}
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
      {canSignUp && (
        <p className={styles.other}>
          {t("form.noAccount")}
          <Link href={search === "" ? "/sign_up" : `/sign_up?${search}`}>{t("form.signUp")}</Link>
        </p>
      )}
      <p className={styles.fine}>
        <LegalText sentence="form.signInConsent" />
      </p>
    </form>
  );
}
