import { USAGES, type Usage } from "@plumb/protocol/wire/oauth";
import { useEffect, useState, type FormEvent } from "react";
import { useLocation, useSearch } from "wouter";
import { keepUsage, keptUsage, takeSignature } from "../engine/accounts/kept-signature.ts";
import { FormFrame } from "../features/sign-in/form-frame.tsx";
import { problemsAmong } from "../features/sign-in/form-problems.ts";
import styles from "../features/sign-in/form.module.css";
import { OtherWay } from "../features/sign-in/other-way.tsx";
import { OutboxNotice } from "../features/sign-in/outbox-notice.tsx";
import { PhoneCodeFields, usePhoneCode } from "../features/sign-in/phone-code-fields.tsx";
import { useForm } from "../features/sign-in/use-form.ts";
import { signInAgain } from "../features/sign-in/wanted-page.ts";
import { useEngine } from "../hooks/use-engine.tsx";
import { useSelector } from "../hooks/use-selector.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { Button } from "../ui/button.tsx";

const USAGE_TEXTS = {
  business: "form.usageBusiness",
  research: "form.usageResearch",
  entertainment: "form.usageEntertainment",
  others: "form.usageOthers",
} as const satisfies Record<Usage, string>;

/** The phone of whoever came from WeChat and is not known yet. */
export function MobileVerificationScreen() {
  const engine = useEngine();
  const { t } = useTexts();
  const [path, navigate] = useLocation();
  const search = useSearch();
  const [signature] = useState(() =>
    takeSignature(engine.accounts.ofTab, new URLSearchParams(search).get("signature")),
  );
  const signIn = useSelector(engine.site.preferences, (state) => signInAgain(state.targetBeforeOauthLogin));
  const typed = usePhoneCode();
  const [usage, setUsage] = useState(() => keptUsage(engine.accounts.ofTab));
  const form = useForm(["mobile", "code", "usage"] as const, { mobile: "mobile", code: "code" });

  // It is good once, and for this browser: neither its history nor a copied address needs it.
  useEffect(() => {
    if (search !== "") navigate(path, { replace: true });
  }, [navigate, path, search]);

  if (signature === null)
    return (
      <FormFrame title={t("form.bindTitle")}>
        <p className={styles.notice} role="alert">
          {t("form.bindInvalid")}
        </p>
        <OtherWay to={signIn} text={t("form.backToSignIn")} />
      </FormFrame>
    );

  function submit(event: FormEvent) {
    event.preventDefault();
    const { mobile, code } = typed;
    const wrong = problemsAmong({
      ...typed.problems,
      usage: usage.length === 0 ? "form.usageMissing" : undefined,
    });
    if (!form.accepts(wrong)) return;
    void form.run(async () => {
      const result = await engine.accounts.bindWechat({ signature: signature ?? "", mobile, code, usage });
      if (!result.ok && result.isOver === true) {
        engine.site.showToast({ type: "error", text: result.text, dedupeKey: "oauth" });
        navigate(signIn, { replace: true });
      }
      return result;
    });
  }
  function toggle(one: Usage) {
    const chosen = usage.includes(one) ? usage.filter((other) => other !== one) : [...usage, one];
    keepUsage(engine.accounts.ofTab, chosen);
    setUsage(chosen);
    form.changed("usage");
  }

  return (
    <FormFrame title={t("form.bindTitle")}>
      <OutboxNotice channel="sms" />
      <form ref={form.form} className={styles.form} noValidate onSubmit={submit}>
        <PhoneCodeFields typed={typed} form={form} scenario="login" />
        <fieldset className={styles.usage} aria-describedby="usage-error">
          <legend>{t("form.usage")}</legend>
          {USAGES.map((one) => (
            <label key={one} className={styles.consent}>
              <span className={styles.tick}>
                <input
                  name="usage"
                  type="checkbox"
                  checked={usage.includes(one)}
                  aria-invalid={form.errorOf("usage") !== null}
                  onChange={() => toggle(one)}
                />
              </span>
              <span>{t(USAGE_TEXTS[one])}</span>
            </label>
          ))}
        </fieldset>
        <div
          id="usage-error"
          className={styles.error}
          role={form.errorOf("usage") === null && form.problem === null ? undefined : "alert"}
        >
          {form.errorOf("usage") ?? form.problem}
        </div>
        <Button className={styles.submit} variant="primary" size="large" type="submit" loading={form.busy}>
          {t("form.bind")}
        </Button>
        <OtherWay to={signIn} text={t("form.backToSignIn")} />
      </form>
    </FormFrame>
  );
}
