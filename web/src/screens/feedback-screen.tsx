import { readNativeUser } from "../engine/site/native-bridge.ts";
import { FormFrame } from "../features/sign-in/form-frame.tsx";
import { useEngine } from "../hooks/use-engine.tsx";
import { useSelector } from "../hooks/use-selector.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { Spinner } from "../ui/spinner.tsx";
import styles from "./feedback-screen.module.css";

/** The feedback page of the Android app's web view: who writes, and a mail that says so. Elsewhere it has nothing to show. */
export function FeedbackScreen() {
  const engine = useEngine();
  const { t, locale } = useTexts();
  const settings = useSelector(engine.site.settings, (state) => state.settings);
  const user = settings === null ? null : readNativeUser(window, settings.misc.native_bridge);
  const contact = settings?.links[locale]?.contact_email ?? null;
  const address =
    contact === null || user === null ? null : mailAddress(contact, t("feedbackPage.title"), user.id);
  return (
    <FormFrame title={t("feedbackPage.title")}>
      <div className={styles.body}>
        {settings === null ? (
          <Spinner />
        ) : user === null || address === null ? (
          <p role="alert">{t("feedbackPage.unavailable")}</p>
        ) : (
          <>
            <p>{t("feedbackPage.from", { user: user.name || user.email || user.mobile || user.id })}</p>
            <a href={address}>{t("feedbackPage.write")}</a>
          </>
        )}
      </div>
    </FormFrame>
  );
}

function mailAddress(contact: string, subject: string, userId: string): string {
  const body = userId === "" ? "" : `&body=${encodeURIComponent(`\n\n(${userId})`)}`;
  return `mailto:${contact}?subject=${encodeURIComponent(subject)}${body}`;
}
