import { useEffect, useState, type ComponentType } from "react";
import type { CaptchaFace } from "../engine/guard/captcha-face.ts";
import { useEngine } from "../hooks/use-engine.tsx";
import { useSelector } from "../hooks/use-selector.ts";
import { loadCaptchaTexts } from "../i18n/captcha-texts.ts";
import { lazyPart, type LazyPart } from "../ui/lazy-part.tsx";

const captchaDialog = withTexts(
  async () => (await import("../features/captcha/captcha-dialog.tsx")).CaptchaDialog,
);
const challengeOverlay = withTexts(
  async () => (await import("../features/captcha/challenge-overlay.tsx")).ChallengeOverlay,
);

function withTexts(load: () => Promise<ComponentType<object>>): LazyPart<object> {
  return lazyPart(async () => (await Promise.all([load(), loadCaptchaTexts()]))[0]);
}

/** Shows the captcha while one is asked for, over whatever page asks, and a bot challenge over all of it. */
export function CaptchaHost() {
  const { captcha, challenge } = useEngine();
  return (
    <>
      <WhenAsked face={captcha} part={captchaDialog} />
      <WhenAsked face={challenge} part={challengeOverlay} />
    </>
  );
}

function WhenAsked({ face, part }: { face: CaptchaFace; part: LazyPart<object> }) {
  const asked = useSelector(face.store, (state) => state.asked !== null);
  const [here, setHere] = useState(part.isHere);
  useEffect(() => {
    if (!asked) return;
    part.load().then(
      () => setHere(true),
      (error: unknown) => face.failed("code", error),
    );
  }, [asked, face, part]);
  return asked && here ? <part.Part /> : null;
}
