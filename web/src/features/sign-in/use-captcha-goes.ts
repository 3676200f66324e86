import { useEffect, useRef } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";

/** The captcha that a part of the page has asked for goes with it. Tells whether the part is still there to say what came of it. */
export function useCaptchaGoes(): () => boolean {
  const { captcha } = useEngine();
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
      captcha.dismiss();
    };
  }, [captcha]);
  return () => isHere.current;
}
