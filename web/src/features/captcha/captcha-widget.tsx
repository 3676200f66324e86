import { useEffect, useRef } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { loadScript } from "./load-script.ts";
import { WIDGETS, type WidgetMode } from "./widgets.ts";
import styles from "./captcha-widget.module.css";

/** The captcha of somebody else, in its own place. What goes wrong with it is logged, and nothing is sent. */
export function CaptchaWidget({ mode }: { mode: WidgetMode }) {
  const engine = useEngine();
  const { t, locale } = useTexts();
  const place = useRef<HTMLDivElement>(null);
  const reset = useRef<() => void>(() => {});

  useEffect(() => {
    let wanted = true;
    const captcha = engine.site.settings.getState().settings?.captcha;
    const fail = (error: unknown) => {
      if (!wanted) return;
      engine.captcha.log(mode, error);
      engine.captcha.failed();
    };
    async function begin() {
      if (captcha === undefined || captcha.script_url === null) throw new Error("no script is configured");
      if (!WIDGETS[mode].isHere()) await loadScript(captcha.script_url);
      if (!wanted || place.current === null) return;
      reset.current = WIDGETS[mode].show(place.current, {
        captcha,
        locale,
        onPassed: (fields) => wanted && engine.captcha.passed(fields),
        onError: fail,
      });
    }
    begin().catch(fail);
    return () => {
      wanted = false;
    };
  }, [engine, mode, locale]);

  return (
    <div className={styles.widget}>
      <div className={styles.waiting} aria-hidden="true">
        <Spinner />
      </div>
      <div ref={place} id="captcha-place" className={styles.place} />
      <div className={styles.foot}>
        <IconButton icon="retry" label={t("captcha.reset")} onClick={() => reset.current()} />
      </div>
    </div>
  );
}
