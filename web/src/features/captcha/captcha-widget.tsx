import { useEffect, useId, useRef } from "react";
import type { CaptchaFace } from "../../engine/guard/captcha-face.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { loadScript } from "./load-script.ts";
import { WIDGETS, type WidgetMode } from "./widgets.ts";
import styles from "./captcha-widget.module.css";

interface CaptchaWidgetProps {
  face: Pick<CaptchaFace, "passed" | "failed">;
  mode: WidgetMode;
}

/** The captcha of somebody else, in its own place. What goes wrong with it is logged, and nothing is sent. */
export function CaptchaWidget({ face, mode }: CaptchaWidgetProps) {
  const engine = useEngine();
  const id = useId();
  const { t, locale } = useTexts();
  const place = useRef<HTMLDivElement>(null);
  const reset = useRef<() => void>(() => {});

  useEffect(() => {
    let wanted = true;
    const captcha = engine.site.settings.getState().settings?.captcha;
    const fail = (error: unknown, triesAgain = false) => wanted && face.failed(mode, error, triesAgain);
    async function begin() {
      if (captcha === undefined || captcha.script_url === null) throw new Error("no script is configured");
      if (!WIDGETS[mode].isHere()) await loadScript(captcha.script_url);
      if (!wanted || place.current === null) return;
      reset.current = WIDGETS[mode].show(place.current, {
        captcha,
        locale,
        onPassed: (fields) => wanted && face.passed(fields),
        onError: fail,
      });
    }
    begin().catch((error: unknown) => fail(error));
    return () => {
      wanted = false;
    };
  }, [engine, face, mode, locale]);

  return (
    <div className={styles.widget}>
      <div className={styles.waiting} aria-hidden="true">
        <Spinner />
      </div>
      <div ref={place} id={id} className={styles.place} />
      <div className={styles.foot}>
        <IconButton icon="retry" label={t("captcha.reset")} onClick={() => reset.current()} />
      </div>
    </div>
  );
}
