import type { MouseEvent } from "react";
import type { CookieLevel, createCookieConsent } from "../../engine/site/cookie-consent.ts";
import { passKeyFocus } from "../../hooks/composer-element.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./cookie-banner.module.css";

const takeFocus = (section: HTMLElement | null) => section?.focus();

/** Asks whether one may be counted, where one is to be asked, and whoever wants to answer otherwise; both answers are one press away. */
export function CookieBanner({ consent }: { consent: ReturnType<typeof createCookieConsent> }) {
  const { site } = useEngine();
  const { t, locale } = useTexts();
  const settings = useSelector(site.settings, (state) => state.settings);
  useSelector(consent.store, (state) => state.level);
  const again = useSelector(site.overlays, (state) => state.cookies);
  if (!again && !consent.isOpen(settings)) return null;
  function choose(level: CookieLevel, press: MouseEvent) {
    consent.choose(level);
    site.setOverlays({ cookies: false });
    passKeyFocus(press);
  }
  const policy = settings?.links[locale]?.privacy_policy ?? null;
  return (
    <section
      key={String(again)}
      // Whoever asked for it goes on there.
      ref={again ? takeFocus : null}
      tabIndex={-1}
      className={styles.banner}
      aria-label={t("cookies.title")}
    >
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
        <Button onClick={(press) => choose("essential", press)}>{t("cookies.essential")}</Button>
        <Button onClick={(press) => choose("all", press)}>{t("cookies.all")}</Button>
      </div>
    </section>
  );
}
