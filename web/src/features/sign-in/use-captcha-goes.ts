import { useEffect } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useIsHere } from "../../ui/use-is-here.ts";

/** The captcha that a part of the page has asked for goes with it. Tells whether the part is still there to say what came of it. */
export function useCaptchaGoes(): () => boolean {
  const { captcha } = useEngine();
  useEffect(() => () => captcha.dismiss(), [captcha]);
  return useIsHere();
}
