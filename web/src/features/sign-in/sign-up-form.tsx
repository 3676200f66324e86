import { openInvitationPrefix } from "@plumb/protocol/rules/sign-in-rules";
import { useState, type FormEvent } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { CodeField } from "./code-field.tsx";
import { EmailField } from "./email-field.tsx";
import { problemOf, problemsAmong } from "./form-problems.ts";
import styles from "./form.module.css";
import { InvitationNotice } from "./invitation-notice.tsx";
import { LegalText } from "./legal-text.tsx";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { OtherWay } from "./other-way.tsx";
import { PhoneField } from "./phone-field.tsx";
import { typedFor } from "./typed-for.ts";
import { useTypedIdentifier } from "./typed-identifier.ts";
import { useForm } from "./use-form.ts";

const order = ["email", "mobile", "code", "password", "confirmation", "consent"] as const;
const nothing = { email: "", mobile: "", code: "", password: "", confirmation: "", consent: false };
type Input = typeof nothing;

interface SignUpFormProps {
  by: "email" | "mobile";
  /** Of sign-up by email: stands in for a code, or goes with it. */
  invitation: string | null;
  /** It is spent, or is to be left out. */
  forgetInvitation: () => void;
}

/** Sign-up by email or by phone. */
export function SignUpForm({ by, invitation, forgetInvitation }: SignUpFormProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const last = useTypedIdentifier();
  const [input, setInput] = useState<Input>(() => ({
    ...nothing,
    email: typedFor("email", last.current) || engine.accounts.askedFor("email"),
    mobile: typedFor("mobile", last.current) || engine.accounts.askedFor("sms"),
  }));
  const [isRefused, setRefused] = useState(false);
  const { email, mobile, code, password, confirmation, consent } = input;
  const form = useForm(order, { email: "email", mobile: "mobile", code: "code", password: "password" });
  const byPhone = by === "mobile";
  const sendsMail = useSelector(
    engine.site.settings,
    ({ settings }) => settings?.sign_in.email_outbox === false,
  );
  // The server says so as well where the link does not tell: then the code is asked for after the first try.
  const [isCodeMissed, setCodeMissed] = useState(false);
  const asksCode =
    invitation === null || isCodeMissed || (sendsMail && invitation.startsWith(openInvitationPrefix));

  function change<K extends keyof Input>(field: K, value: Input[K]) {
    if (field === by) last.current = String(value);
    setInput((now) => ({ ...now, [field]: value }));
    form.changed(field);
  }
  const wrongTarget = () =>
    problemsAmong(
      byPhone
        ? { mobile: problemOf.mobile(mobile), email: undefined }
        : { email: problemOf.email(email), mobile: undefined },
    );

  function submit(event: FormEvent) {
    event.preventDefault();
    const wrong = {
      ...wrongTarget(),
      ...problemsAmong({
        code: asksCode ? problemOf.code(code) : undefined,
        password: problemOf.password(password),
        confirmation: problemOf.confirmation(confirmation, password),
        consent: problemOf.consent(consent),
      }),
    };
    if (!form.accepts(wrong)) return;
    void form.run(async () => {
      const result = byPhone
        ? await engine.accounts.signUpByPhone({ mobile, password, code })
        : await engine.accounts.signUp({ email, password, code, invitation });
      if (result.ok) forgetInvitation();
      else if ("key" in result.text && result.text.key === "invitationInvalid") setRefused(true);
      else if (!asksCode && result.field === "code") setCodeMissed(true);
      return result;
    });
  }

  return (
    <form ref={form.form} className={styles.form} noValidate onSubmit={submit}>
      {invitation !== null && (
        <InvitationNotice
          isRefused={isRefused}
          asksCode={asksCode}
          // What was typed stays, and what was said of the invitation goes with it.
          onLeftOut={() => {
            form.accepts({});
            form.focus("email");
            forgetInvitation();
          }}
        />
      )}
      {byPhone ? (
        <PhoneField
          value={mobile}
          error={form.errorOf("mobile")}
          onChange={(typed) => change("mobile", typed)}
        />
      ) : (
        <EmailField
          value={email}
          error={form.errorOf("email")}
          onChange={(typed) => change("email", typed)}
        />
      )}
      {asksCode && (
        <CodeField
          value={code}
          error={form.errorOf("code")}
          onChange={(typed) => change("code", typed)}
          timer={byPhone ? "sms" : "email"}
          channel={() => (byPhone ? "sms" : "email")}
          send={async () =>
            form.accepts(wrongTarget())
              ? engine.accounts.sendCode({
                  target: byPhone ? mobile : email,
                  scenario: "register",
                  timer: byPhone ? "sms" : "email",
                  invitation,
                })
              : null
          }
          onRefused={form.took}
          onSent={() => {
            change("code", "");
            form.focus("code");
          }}
        />
      )}
      <NewPasswordFields
        labels={[t("form.password"), t("form.confirmation")]}
        password={password}
        confirmation={confirmation}
        errors={[form.errorOf("password"), form.errorOf("confirmation")]}
        onPassword={(typed) => change("password", typed)}
        onConfirmation={(typed) => change("confirmation", typed)}
      />
      <label className={styles.consent}>
        <span className={styles.tick}>
          <input
            name="consent"
            type="checkbox"
            checked={consent}
            aria-invalid={form.errorOf("consent") !== null}
            aria-describedby="consent-error"
            onChange={(event) => change("consent", event.target.checked)}
          />
        </span>
        <LegalText sentence="form.signUpConsent" />
      </label>
      <div
        id="consent-error"
        className={styles.error}
        role={form.errorOf("consent") === null && form.problem === null ? undefined : "alert"}
      >
        {form.errorOf("consent") ?? form.problem}
      </div>
      <Button className={styles.submit} variant="primary" size="large" type="submit" loading={form.busy}>
        {t("form.signUp")}
      </Button>
      <OtherWay question={t("form.haveAccount")} to="/sign_in" text={t("form.signIn")} />
    </form>
  );
}
