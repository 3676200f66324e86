import type { createCookieConsent } from "../../engine/site/cookie-consent.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./cookie-banner.module.css";

/** Asks whether one may be counted, where one is to be asked; both answers are one press away. */
export function CookieBanner({ consent }: { consent: ReturnType<typeof createCookieConsent> }) {
  const { site } = useEngine();
  const { t, locale } = useTexts();
  const settings = useSelector(site.settings, (state) => state.settings);
  useSelector(consent.store, (state) => state.level);
  if (!consent.isOpen(settings)) return null;
  const policy = settings?.links[locale]?.privacy_policy ?? null;
  return (
    <section className={styles.banner} aria-label={t("cookies.title")}>
      <h2 className={styles.title}>{t("cookies.title")}</h2>
      <p className={styles.words}>
        {t("cookies.text")}{" "}
        {policy !== null && (
          <a href={policy} target="_blank" rel="noopener">
            {t("cookies.policy")}
          </a>
        )}
      </p>
      <div className={styles.buttons}>
        <Button onClick={() => consent.choose("essential")}>{t("cookies.essential")}</Button>
        <Button onClick={() => consent.choose("all")}>{t("cookies.all")}</Button>
      </div>
    </section>
  );
}
