import { expect, test } from "vitest";
import { onPageRestored } from "./on-page-restored.ts";

const shown = (persisted: boolean): Event => Object.assign(new Event("pageshow"), { persisted });

test("a page that comes back as it was is told so, one that loads is not", () => {
  const page = new EventTarget();
  let times = 0;
  const stop = onPageRestored(page, () => (times += 1));
  page.dispatchEvent(shown(false));
  expect(times).toBe(0);
  page.dispatchEvent(shown(true));
  expect(times).toBe(1);
  stop();
  page.dispatchEvent(shown(true));
  expect(times).toBe(1);
});
