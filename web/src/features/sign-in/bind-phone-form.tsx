import type { FormEvent } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { problemsAmong } from "./form-problems.ts";
import styles from "./form.module.css";
import { PhoneCodeFields, usePhoneCode } from "./phone-code-fields.tsx";
import { useForm } from "./use-form.ts";

/** A phone and the code that was sent to it make it the account's. */
export function BindPhoneForm() {
  const engine = useEngine();
  const { t } = useTexts();
  const typed = usePhoneCode();
  const form = useForm(["mobile", "code"] as const, { mobile: "mobile", code: "code" });

  function submit(event: FormEvent) {
    event.preventDefault();
    const { mobile, code } = typed;
    const wrong = problemsAmong(typed.problems);
    if (!form.accepts(wrong)) return;
    void form.run(async () => {
      const account = await engine.ownAccount();
      // That it could not be had was said.
      return account === null ? { ok: true } : account.bindMobile({ mobile, code });
    });
  }
  return (
    <form ref={form.form} className={styles.form} noValidate onSubmit={submit}>
      <PhoneCodeFields typed={typed} form={form} scenario="bind_mobile" />
      <div className={styles.error} role={form.problem === null ? undefined : "alert"}>
        {form.problem}
      </div>
      <Button className={styles.submit} variant="primary" size="large" type="submit" loading={form.busy}>
        {t("account.verify")}
      </Button>
    </form>
  );
}
