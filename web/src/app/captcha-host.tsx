import { useEffect } from "react";
import { useEngine } from "../hooks/use-engine.tsx";
import { useSelector } from "../hooks/use-selector.ts";
import { loadCaptchaTexts } from "../i18n/captcha-texts.ts";
import { lazyPart, WhenHere } from "../ui/lazy-part.tsx";

const captchaDialog = lazyPart(async () => {
  const [{ CaptchaDialog }] = await Promise.all([
    import("../features/captcha/captcha-dialog.tsx"),
    loadCaptchaTexts(),
  ]);
  return CaptchaDialog;
});

/** Shows the captcha while one is asked for, over whatever page asks. */
export function CaptchaHost() {
  const { captcha } = useEngine();
  const asked = useSelector(captcha.store, (state) => state.asked !== null);
  useEffect(() => {
    if (!asked) return;
    void captchaDialog.preload().then((here) => {
      if (!here) captcha.failed();
    });
  }, [asked, captcha]);
  if (!asked) return null;
  return (
    <WhenHere part={captchaDialog} standIn={null}>
      <captchaDialog.Part />
    </WhenHere>
  );
}
