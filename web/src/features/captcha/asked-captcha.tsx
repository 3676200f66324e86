import type { CaptchaFace } from "../../engine/guard/captcha-face.ts";
import type { CaptchaState } from "../../engine/guard/captcha.ts";
import { CaptchaWidget } from "./captcha-widget.tsx";
import { SlideCaptcha } from "./slide-captcha.tsx";

interface AskedCaptchaProps {
  face: CaptchaFace;
  asked: NonNullable<CaptchaState["asked"]>;
}

/** What is asked for: our own puzzle, or the captcha of somebody else. */
export function AskedCaptcha({ face, asked }: AskedCaptchaProps) {
  return asked === "slide" ? (
    <SlideCaptcha face={face} />
  ) : (
    <CaptchaWidget key={asked} face={face} mode={asked} />
  );
}
