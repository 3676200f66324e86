import { useEffect, useState } from "react";
import { onPageRestored } from "../../hooks/on-page-restored.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useCaptchaGoes } from "./use-captcha-goes.ts";

/** The way to Google, past the captcha; the whole page leaves. `target`: where it is to lead. `onLeave`: just before. */
export function useGoogle(target: string, onLeave?: () => void) {
  const engine = useEngine();
  const [leaving, setLeaving] = useState(false);
  const isHere = useCaptchaGoes();
  useEffect(() => onPageRestored(window, () => setLeaving(false)), []);

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
    onLeave?.();
    window.location.assign(address);
  }
  return { leaving, leave: () => void leave() };
}
