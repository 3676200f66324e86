import { useDelayed } from "../hooks/use-delayed.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { Mark } from "../ui/mark.tsx";
import styles from "./splash.module.css";

/** What shows while the page does not know yet what to show; nothing when that is quick. */
export function Splash() {
  const { t } = useTexts();
  const shown = useDelayed(true, 500, 200);
  return (
    <div className={styles.splash} role="status" aria-label={t("conversation.loading")}>
      {shown && <Mark size={40} />}
    </div>
  );
}
