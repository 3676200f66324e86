import { Link } from "wouter";
import { FormFrame } from "../features/sign-in/form-frame.tsx";
import { useEngine } from "../hooks/use-engine.tsx";
import { useSelector } from "../hooks/use-selector.ts";
import { useTexts } from "../i18n/use-texts.ts";
import styles from "./banned-screen.module.css";

/** What a suspended user sees. */
export function BannedScreen() {
  const engine = useEngine();
  const { t, locale } = useTexts();
  const links = useSelector(engine.site.settings, ({ settings }) => settings?.links[locale]);
  const faq = links?.faq ?? null;
  const contact = links?.contact_email ?? null;
  return (
    <FormFrame title={t("banned.title")}>
      <div className={styles.body}>
        <p>{t("banned.text")}</p>
        {faq !== null && faq !== "" && <a href={faq}>{t("banned.faq")}</a>}
        {contact !== null && contact !== "" && <a href={`mailto:${contact}`}>{contact}</a>}
        <Link href="/" className={styles.home} onClick={() => engine.accounts.acknowledgeBan()}>
          {t("banned.home")}
        </Link>
      </div>
    </FormFrame>
  );
}
