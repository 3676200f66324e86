import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import styles from "./form.module.css";

/** By what people of this place sign in; an empty line until the settings came. */
export function RegionTip() {
  const engine = useEngine();
  const { t } = useTexts();
  const edition = useSelector(engine.site.settings, ({ settings }) => settings?.edition);
  return (
    <p className={styles.tip}>
      {edition !== undefined && t(edition === "mainland" ? "form.regionTipMainland" : "form.regionTipPhone")}
    </p>
  );
}
