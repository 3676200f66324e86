import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { GoogleMark } from "./google-mark.tsx";
import styles from "./google-button.module.css";
import { useGoogle } from "./use-google.ts";

/** Signing in with Google, under a divider; nothing where the server does not offer it. `target`: where it is to lead. */
export function GoogleButton({ target }: { target: string }) {
  const engine = useEngine();
  const { t } = useTexts();
  const { leaving, leave } = useGoogle(target);
  const offered = useSelector(
    engine.site.settings,
    ({ settings }) =>
      settings?.sign_in.methods.includes("google") === true || settings?.sign_in.google_forced === true,
  );
  if (!offered) return null;

  return (
    <>
      <div className={styles.divider} role="separator">
        <span>{t("form.or")}</span>
      </div>
      <Button size="large" className={styles.button} loading={leaving} onClick={leave}>
        <GoogleMark />
        {t("form.withGoogle")}
      </Button>
    </>
  );
}
