// The own slide puzzle as calls (wire-contract.md §7.2, §7.3).
import {
  checkSlideCaptcha,
  CheckSlideRefusal,
  createSlideCaptcha,
  CreateSlideRefusal,
} from "@plumb/protocol/wire/captcha";
import type { Deps } from "../../platform/deps.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import { SlideCaptchas } from "./slide-captchas.ts";

const GUEST = { rate: "guest", accountStatus: "any", endsChallenge: true } as const;

/** Whether the puzzle stands before codes or bot challenges here. */
export function usesSlides({ captcha, challenge }: Pick<Deps["config"], "captcha" | "challenge">): boolean {
  return captcha.mode === "slide" || challenge?.provider === "slide";
}

export function slideCaptchaRoutes({ config, db, ports }: Deps): Route[] {
  const slides = usesSlides(config) ? new SlideCaptchas({ db, clock: ports.clock }) : null;
  return [
    route(createSlideCaptcha, GUEST, async (_context, { device_id }) => {
      if (slides === null) throw new Refusal(CreateSlideRefusal.CaptchaNotEnabled);
      return slides.create(device_id);
    }),
    route(checkSlideCaptcha, GUEST, async ({ ip }, tried) => {
      if (slides === null) throw new Refusal(CheckSlideRefusal.CaptchaExpired);
      return slides.check(tried, ip);
    }),
  ];
}
