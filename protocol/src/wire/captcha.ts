// The own slide puzzle (wire-contract.md §7.2, §7.3).
import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { defineCall } from "./call.ts";
import { maybe, text } from "./fields.ts";

export const CreateSlideRefusal = {
  CaptchaNotEnabled: { code: 1, msg: "CAPTCHA_NOT_ENABLED" },
} as const;

/** Sizes are pixels; the pictures are PNG `data:` addresses. */
export interface SlideCaptcha {
  captcha_id: string;
  background: string;
  piece: string;
  width: number;
  height: number;
  piece_width: number;
  piece_height: number;
  piece_y: number;
  /** Unix seconds. */
  expire_at: number;
}

export const createSlideCaptcha = defineCall<SlideCaptcha>()({
  method: "POST",
  path: "/api/v0/users/create_slide_captcha",
  auth: "none",
  request: z.object({ device_id: maybe(text(LIMITS.deviceIdChars)) }),
});

export const CheckSlideRefusal = {
  CaptchaWrong: { code: 1, msg: "CAPTCHA_WRONG" },
  CaptchaExpired: { code: 2, msg: "CAPTCHA_EXPIRED" },
} as const;

/** Where the hand was: pixels from where it began, milliseconds since then. */
export interface TrackPoint {
  x: number;
  y: number;
  t: number;
}

/** Pixels of the picture that a key moves the piece: an arrow, and a page key. Arrows reach every place within 2 pixels. */
export const SLIDE_STEPS = { short: 4, long: 20 } as const;

/** Points of a track; a longer one is refused as malformed. */
export const TRACK_POINTS = 500;

/** A pass, or the picture that has to be solved besides. */
export type CheckedSlideCaptcha =
  { rid: string; expire_at: number; next: null } | { rid: null; expire_at: number; next: SlideCaptcha };

export const checkSlideCaptcha = defineCall<CheckedSlideCaptcha>()({
  method: "POST",
  path: "/api/v0/users/check_slide_captcha",
  auth: "none",
  request: z.object({
    captcha_id: z.string(),
    x: z.number(),
    track: z
      .array(z.object({ x: z.number(), y: z.number(), t: z.number() }))
      .check(z.maxLength(TRACK_POINTS)),
  }),
});
