// `engine.captcha`: what has to be passed before a code is sent or Google is asked; `engine.challenge`: before anything is answered.
import type { StoreApi } from "zustand/vanilla";
import type { CaptchaFields, CaptchaResult, CaptchaState } from "./captcha.ts";
import type { createSlidePuzzle } from "./slide-puzzle.ts";

export interface CaptchaFace {
  store: StoreApi<CaptchaState>;
  /** Shows what the installation asks for, and resolves when it was passed or was not. */
  pass(): Promise<CaptchaResult>;
  /** The person has closed it. */
  dismiss(): void;
  passed(fields: CaptchaFields): void;
  /**
   * It went wrong, which is noted with its type, code and message. It ends, unless what is shown tries again by itself: that
   * is borne some times.
   */
  failed(what: string, error: unknown, triesAgain?: boolean): void;
  /** The own slide puzzle, made by the code that comes with its picture. */
  beginSlide(create: typeof createSlidePuzzle): ReturnType<typeof createSlidePuzzle>;
}
