import { useEffect, useState } from "react";
import { onPageRestored } from "../../hooks/on-page-restored.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { GoogleMark } from "./google-mark.tsx";
import styles from "./google-button.module.css";
import { useCaptchaGoes } from "./use-captcha-goes.ts";

/** Signing in with Google, under a divider; nothing where the server does not offer it. `target`: where it is to lead. */
export function GoogleButton({ target }: { target: string }) {
  const engine = useEngine();
  const { t } = useTexts();
  const [leaving, setLeaving] = useState(false);
  const isHere = useCaptchaGoes();
  const offered = useSelector(
    engine.site.settings,
    ({ settings }) =>
      settings?.sign_in.methods.includes("google") === true || settings?.sign_in.google_forced === true,
  );
  useEffect(() => onPageRestored(window, () => setLeaving(false)), []);
  if (!offered) return null;

  async function leave() {
    setLeaving(true);
    const captcha = await engine.captcha.pass();
    if (!isHere()) return;
    if (!captcha.ok) {
      setLeaving(false);
      return engine.site.showToast({ type: "error", text: captcha.text, dedupeKey: "captcha" });
    }
    const address = await engine.accounts.googleAddress(captcha.fields);
    if (!isHere()) return;
    if (address === null) {
      setLeaving(false);
      return engine.site.showToast({ type: "error", text: { key: "networkError" }, dedupeKey: "google" });
    }
    engine.site.setPreferences({ targetBeforeOauthLogin: target });
    window.location.assign(address);
  }

  return (
    <>
      <div className={styles.divider} role="separator">
        <span>{t("form.or")}</span>
      </div>
      <Button size="large" className={styles.button} loading={leaving} onClick={() => void leave()}>
        <GoogleMark />
        {t("form.withGoogle")}
      </Button>
    </>
  );
}
