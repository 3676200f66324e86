import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import styles from "./form.module.css";

/** By what people of this place sign in; an empty line until the settings came. */
export function RegionTip() {
  const engine = useEngine();
  const { t } = useTexts();
  const methods = useSelector(engine.site.settings, ({ settings }) => settings?.sign_in.methods);
  const phone = methods?.includes("mobile_password") || methods?.includes("sms_code");
  return (
    <p className={styles.tip}>
      {methods !== undefined && t(phone ? "form.regionTipPhone" : "form.regionTip")}
    </p>
  );
}
