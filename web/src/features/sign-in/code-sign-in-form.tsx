import { useState, type FormEvent } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { CodeField } from "./code-field.tsx";
import { problemOf, problemsAmong } from "./form-problems.ts";
import styles from "./form.module.css";
import { LegalText } from "./legal-text.tsx";
import { OtherWay } from "./other-way.tsx";
import { PhoneField } from "./phone-field.tsx";
import { useForm } from "./use-form.ts";

/** Sign-in by a code to one's phone; a number without an account gets one. */
export function CodeSignInForm() {
  const engine = useEngine();
  const { t } = useTexts();
  const [mobile, setMobile] = useState("");
  const [code, setCode] = useState("");
  const form = useForm(["mobile", "code"] as const, { mobile: "mobile", code: "code" });

  function submit(event: FormEvent) {
    event.preventDefault();
    const wrong = problemsAmong({ mobile: problemOf.mobile(mobile), code: problemOf.code(code) });
    if (form.accepts(wrong)) void form.run(() => engine.accounts.signInByCode({ mobile, code }));
  }

  return (
    <form ref={form.form} className={styles.form} noValidate onSubmit={submit}>
      <PhoneField
        value={mobile}
        error={form.errorOf("mobile")}
        onChange={(typed) => {
          setMobile(typed);
          form.changed("mobile");
        }}
      />
      <CodeField
        value={code}
        error={form.errorOf("code")}
        onChange={(typed) => {
          setCode(typed);
          form.changed("code");
        }}
        timer="sms"
        channel={() => "sms"}
        send={async () =>
          form.accepts(problemsAmong({ mobile: problemOf.mobile(mobile) }))
            ? engine.accounts.sendCode({ target: mobile, scenario: "login", timer: "sms" })
            : null
        }
        onRefused={form.took}
        onSent={() => {
          setCode("");
          form.focus("code");
        }}
      />
      <div className={styles.error} role={form.problem === null ? undefined : "alert"}>
        {form.problem}
      </div>
      <Button className={styles.submit} variant="primary" size="large" type="submit" loading={form.busy}>
        {t("form.signIn")}
      </Button>
      <OtherWay question={t("form.noAccount")} to="/sign_up" text={t("form.signUp")} />
      <p className={styles.fine}>
        <LegalText sentence="form.codeConsent" />
      </p>
    </form>
  );
}
