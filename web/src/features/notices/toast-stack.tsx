import { passKeyFocus } from "../../hooks/composer-element.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Toast } from "../../ui/toast.tsx";
import styles from "./toast-stack.module.css";

/** The passing notices at the top, announced politely. The region is always there, or the first would go unheard. */
export function ToastStack() {
  const engine = useEngine();
  const { t, show } = useTexts();
  const toasts = useSelector(engine.site.toasts, (state) => state.toasts);
  return (
    <div className={styles.place}>
      <div className={styles.stack} role="status" aria-live="polite" aria-atomic="false">
        {toasts.map((toast) => (
          <Toast
            key={toast.id}
            type={toast.type}
            text={show(toast.text)}
            closeLabel={t("common.close")}
            onClose={(press) => {
              engine.site.dismissToast(toast.id);
              passKeyFocus(press);
            }}
            action={toast.action && { label: show(toast.action.text), run: toast.action.run }}
          />
        ))}
      </div>
    </div>
  );
}
