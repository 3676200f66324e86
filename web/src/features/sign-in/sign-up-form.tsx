import { LIMITS } from "@plumb/protocol/limits";
import { useRef, useState, type FormEvent } from "react";
import { Link, useSearch } from "wouter";
import type { Text } from "../../engine/text.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/text-field.tsx";
import styles from "./form.module.css";
import { LegalText } from "./legal-text.tsx";
import { PasswordField } from "./password-field.tsx";
import { emailProblem, signUpProblems, type SignUpInput } from "./sign-up-problems.ts";

type Errors = Partial<Record<keyof SignUpInput, Text>>;

const fieldOrder = ["email", "code", "password", "confirmation", "consent"] as const;

/** Sign-up by email. */
export function SignUpForm() {
  const engine = useEngine();
  const { t, show } = useTexts();
  const search = useSearch();
  const [input, setInput] = useState<SignUpInput>({
    email: "",
    code: "",
    password: "",
    confirmation: "",
    consent: false,
  });
  const [errors, setErrors] = useState<Errors>({});
  const [problem, setProblem] = useState<Text | null>(null);
  const [busy, setBusy] = useState(false);
  const [codeSent, setCodeSent] = useState(false);
  const outbox = useSelector(engine.site.settings, ({ settings }) => settings?.sign_in.email_outbox === true);
  const form = useRef<HTMLFormElement>(null);

  function change(part: Partial<SignUpInput>) {
    setInput((now) => ({ ...now, ...part }));
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([field]) => !(field in part))));
  }
  function fail(found: Errors) {
    setErrors(found);
    const first = fieldOrder.find((field) => found[field] !== undefined);
    if (first !== undefined) focusField(first);
  }
  function focusField(name: keyof SignUpInput) {
    form.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.focus();
  }
  const errorOf = (field: keyof SignUpInput) => {
    const text = errors[field];
    return text === undefined ? null : show(text);
  };

  async function submit(event: FormEvent) {
    event.preventDefault();
    setProblem(null);
    const found = Object.entries(signUpProblems(input)).map(([field, key]) => [field, { key }]);
    fail(Object.fromEntries(found));
    if (found.length > 0) return;
    setBusy(true);
    const result = await engine.accounts.signUp({
      email: input.email.trim(),
      password: input.password,
      code: input.code,
    });
    setBusy(false);
    if (result.ok) return;
    if (result.field === null) setProblem(result.text);
    else fail({ [result.field]: result.text });
  }

  return (
    <form ref={form} className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        name="email"
        maxLength={LIMITS.emailChars}
        label={t("form.email")}
        value={input.email}
        error={errorOf("email")}
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        onChange={(event) => change({ email: event.target.value })}
      />
      <TextField
        name="code"
        label={t("form.code")}
        value={input.code}
        error={errorOf("code")}
        inputMode="numeric"
        autoComplete="one-time-code"
        // Pasted codes come with blanks and words around them.
        onChange={(event) => change({ code: event.target.value.replace(/\D/g, "").slice(0, 6) })}
        hint={<span role="status">{codeSent && t(outbox ? "form.codeInLog" : "form.codeSent")}</span>}
        trailing={
          <SendCode
            email={input.email}
            onSent={() => {
              setCodeSent(true);
              // Another code makes the one before useless.
              change({ code: "" });
              focusField("code");
            }}
            onFail={fail}
            onProblem={setProblem}
          />
        }
      />
      <PasswordField
        name="password"
        label={t("form.password")}
        value={input.password}
        error={errorOf("password")}
        hint={t("form.passwordHint")}
        autoComplete="new-password"
        onChange={(event) => change({ password: event.target.value })}
      />
      <PasswordField
        name="confirmation"
        label={t("form.confirmation")}
        value={input.confirmation}
        error={errorOf("confirmation")}
        autoComplete="new-password"
        onChange={(event) => change({ confirmation: event.target.value })}
      />
      <label className={styles.consent}>
        <span className={styles.tick}>
          <input
            name="consent"
            type="checkbox"
            checked={input.consent}
            aria-invalid={errors.consent !== undefined}
            aria-describedby="consent-error"
            onChange={(event) => change({ consent: event.target.checked })}
          />
        </span>
        <LegalText sentence="form.signUpConsent" />
      </label>
      <div
        id="consent-error"
        className={styles.error}
        role={errors.consent === undefined && problem === null ? undefined : "alert"}
      >
        {errorOf("consent") ?? (problem && show(problem))}
      </div>
      <Button className={styles.submit} variant="primary" size="large" type="submit" loading={busy}>
        {t("form.signUp")}
      </Button>
      <p className={styles.other}>
        {t("form.haveAccount")}
        <Link href={search === "" ? "/sign_in" : `/sign_in?${search}`}>{t("form.signIn")}</Link>
      </p>
    </form>
  );
}

interface SendCodeProps {
  email: string;
  onSent: () => void;
  onFail: (errors: Errors) => void;
  onProblem: (problem: Text | null) => void;
}

/** Asks for a code; rests while the countdown runs. */
function SendCode({ email, onSent, onFail, onProblem }: SendCodeProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const [sending, setSending] = useState(false);
  const secondsLeft = useSelector(engine.accounts.codeTimer, (timer) => timer.email);

  async function send() {
    const wrong = emailProblem(email);
    onProblem(null);
    if (wrong !== undefined) return onFail({ email: { key: wrong } });
    setSending(true);
    const result = await engine.accounts.sendEmailCode({ email: email.trim(), scenario: "register" });
    setSending(false);
    if (result.ok) onSent();
    else if (result.field === null) onProblem(result.text);
    else onFail({ [result.field]: result.text });
  }
  return (
    <Button
      className={styles.send}
      variant="ghost"
      loading={sending}
      disabled={secondsLeft > 0}
      onClick={() => void send()}
    >
      {secondsLeft > 0 ? t("form.sendAgainIn", { seconds: secondsLeft }) : t("form.sendCode")}
    </Button>
  );
}
