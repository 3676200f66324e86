import { Suspense, useEffect, useState } from "react";
import type { Browser } from "../engine/browser.ts";
import { isAdBlockOn } from "../engine/site/ad-block-check.ts";
import { createAnnouncement } from "../engine/site/announcement.ts";
import { AnnouncementBar } from "../features/notices/announcement-bar.tsx";
import { CookieBanner } from "../features/notices/cookie-banner.tsx";
import { WrapperWarning } from "../features/notices/wrapper-warning.tsx";
import { useEngine } from "../hooks/use-engine.tsx";
import { useSelector } from "../hooks/use-selector.ts";
import { loadDialogTexts } from "../i18n/dialog-texts.ts";
import { loadNoticeTexts } from "../i18n/notice-texts.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { createCookieConsent } from "../engine/site/cookie-consent.ts";
import { createCookieJar } from "./cookie-jar.ts";
import styles from "./page-notices.module.css";
import { startWantedServices } from "./wanted-services.ts";

const adBlockDialog = lazyPart(
  async () =>
    (await Promise.all([import("../features/notices/ad-block-dialog.tsx"), loadDialogTexts()]))[0]
      .AdBlockDialog,
);

/** With its texts. */
export async function loadPageNotices() {
  await loadNoticeTexts();
  return PageNotices;
}

/** What is said on every page, signed in or not: announcements and warnings above it, the question about cookies over it. */
function PageNotices({ browser }: { browser: Browser }) {
  const engine = useEngine();
  const { site } = engine;
  const { t } = useTexts();
  const [announcement] = useState(() => createAnnouncement(browser));
  useEffect(() => {
    announcement.start();
    return announcement.stop;
  }, [announcement]);
  const [consent] = useState(() => createCookieConsent(createCookieJar(document, window.location)));
  useEffect(() => startWantedServices(engine, { browser, consent }), [engine, browser, consent]);
  const isChecked = useSelector(site.settings, ({ settings }) => settings?.flags["adBlockCheck"] === true);
  const [blocked, setBlocked] = useState(false);
  useEffect(() => {
    if (isChecked) void isAdBlockOn(browser).then(setBlocked);
  }, [isChecked, browser]);
  return (
    <div className={styles.place}>
      <section aria-label={t("notice.region")} aria-live="polite">
        <WrapperWarning />
        <AnnouncementBar announcement={announcement} />
      </section>
      <CookieBanner consent={consent} />
      <Suspense fallback={null}>{blocked && <adBlockDialog.Part />}</Suspense>
    </div>
  );
}
