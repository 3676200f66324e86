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

export function slideCaptchaRoutes({ config, db, ports }: Deps): Route[] {
  const isUsed = config.captcha.mode === "slide" || config.challenge?.provider === "slide";
  const slides = isUsed ? new SlideCaptchas({ db, clock: ports.clock }) : null;
  return [
    route(createSlideCaptcha, GUEST, async (_context, { device_id }) => {
      if (slides === null) throw new Refusal(CreateSlideRefusal.CaptchaNotEnabled);
      return slides.create(device_id);
    }),
    route(checkSlideCaptcha, GUEST, async (_context, { captcha_id, x, track }) => {
      if (slides === null) throw new Refusal(CheckSlideRefusal.CaptchaExpired);
      return slides.check(captcha_id, x, track);
    }),
  ];
}
