import styles from "../features/sign-in/form.module.css";
import { FormFrame } from "../features/sign-in/form-frame.tsx";
import { OutboxNotice } from "../features/sign-in/outbox-notice.tsx";
import { SignUpForm } from "../features/sign-in/sign-up-form.tsx";
import { useEngine } from "../hooks/use-engine.tsx";
import { useSelector } from "../hooks/use-selector.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { Spinner } from "../ui/spinner.tsx";

/** The form follows what the server offers in the visitor's region: it waits for the first answer, good or bad. */
export function SignUpScreen() {
  const engine = useEngine();
  const { t } = useTexts();
  const asked = useSelector(
    engine.site.settings,
    ({ settings, isKept, failed }) => (settings !== null && !isKept) || failed,
  );
  return (
    <FormFrame hasConsent title={t("form.signUpTitle")}>
      {asked ? (
        <>
          <OutboxNotice />
          <SignUpForm />
        </>
      ) : (
        <div className={styles.waiting} role="status" aria-label={t("conversation.loading")}>
          <Spinner />
        </div>
      )}
    </FormFrame>
  );
}
