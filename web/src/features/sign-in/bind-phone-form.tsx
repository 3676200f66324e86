import { useState, type FormEvent } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { CodeField } from "./code-field.tsx";
import { problemOf, problemsAmong } from "./form-problems.ts";
import styles from "./form.module.css";
import { PhoneField } from "./phone-field.tsx";
import { useForm } from "./use-form.ts";

/** A phone and the code that was sent to it make it the account's. */
export function BindPhoneForm() {
  const engine = useEngine();
  const { t } = useTexts();
  const [mobile, setMobile] = useState("");
  const [code, setCode] = useState("");
  const form = useForm(["mobile", "code"] as const, { mobile: "mobile", code: "code" });

  function submit(event: FormEvent) {
    event.preventDefault();
    const wrong = problemsAmong({ mobile: problemOf.mobile(mobile), code: problemOf.code(code) });
    if (!form.accepts(wrong)) return;
    void form.run(async () => {
      const account = await engine.ownAccount();
      // That it could not be had was said.
      return account === null ? { ok: true } : account.bindMobile({ mobile, code });
    });
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
            ? engine.accounts.sendCode({ target: mobile, scenario: "bind_mobile", timer: "sms" })
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
        {t("account.verify")}
      </Button>
    </form>
  );
}
