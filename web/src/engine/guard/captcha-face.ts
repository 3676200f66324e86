// `engine.captcha`: what has to be passed before a code is sent or Google is asked.
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
  /** It could not be shown. */
  failed(): void;
  /** Notes what went wrong with a captcha, with its type, code and message. */
  log(what: string, error: unknown): void;
  /** The own slide puzzle, made by the code that comes with its picture. */
  beginSlide(create: typeof createSlidePuzzle): ReturnType<typeof createSlidePuzzle>;
}
