import { expect, test } from "vitest";
import { SCROLL_STEP, scrollRoom } from "./scroll-room.ts";

test("[SHELL-069] an arrow moves a row by 200 px, and stands where there is more", () => {
  expect(SCROLL_STEP).toBe(200);
  const at = (scrollLeft: number, scrollWidth = 500) =>
    scrollRoom({ scrollLeft, scrollWidth, clientWidth: 300 });
  expect(at(0)).toEqual({ back: false, on: true });
  expect(at(100)).toEqual({ back: true, on: true });
  expect(at(200)).toEqual({ back: true, on: false });
  expect(at(199.6)).toEqual({ back: true, on: false });
  expect(at(0, 300)).toEqual({ back: false, on: false });
});
