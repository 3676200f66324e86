import type { FormEvent, ReactNode } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { problemsAmong } from "./form-problems.ts";
import styles from "./form.module.css";
import { LegalText } from "./legal-text.tsx";
import { OtherWay } from "./other-way.tsx";
import { PhoneCodeFields, usePhoneCode } from "./phone-code-fields.tsx";
import { useForm } from "./use-form.ts";

/** Sign-in by a code to one's phone, and under its button other ways; a number without an account gets one. */
export function CodeSignInForm({ children }: { children?: ReactNode }) {
  const engine = useEngine();
  const { t } = useTexts();
  const typed = usePhoneCode();
  const form = useForm(["mobile", "code"] as const, { mobile: "mobile", code: "code" });

  function submit(event: FormEvent) {
    event.preventDefault();
    const { mobile, code } = typed;
    const wrong = problemsAmong(typed.problems);
    if (form.accepts(wrong)) void form.run(() => engine.accounts.signInByCode({ mobile, code }));
  }

  return (
    <form ref={form.form} className={styles.form} noValidate onSubmit={submit}>
      <PhoneCodeFields typed={typed} form={form} scenario="login" />
      <div className={styles.error} role={form.problem === null ? undefined : "alert"}>
        {form.problem}
      </div>
      <Button className={styles.submit} variant="primary" size="large" type="submit" loading={form.busy}>
        {t("form.signIn")}
      </Button>
      {children}
      <OtherWay question={t("form.noAccount")} to="/sign_up" text={t("form.signUp")} />
      <p className={styles.fine}>
        <LegalText sentence="form.codeConsent" />
      </p>
    </form>
  );
}
