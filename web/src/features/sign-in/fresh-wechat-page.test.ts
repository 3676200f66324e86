import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showFreshPage } from "./fresh-wechat-page.ts";

const MINUTE = 60_000;
const page = Object.assign(new EventTarget(), { hidden: false });
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", page);
  page.hidden = false;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function follow() {
  const shown: (string | null)[] = [];
  let asked = 0;
  const stop = showFreshPage(
    async () => `page ${++asked}`,
    (address) => shown.push(address),
  );
  return { shown, stop };
}
function see(hidden: boolean): void {
  page.hidden = hidden;
  page.dispatchEvent(new Event("visibilitychange"));
}

test("WeChat's page is another one before the server takes it no more [AUTH-018]", async () => {
  const { shown, stop } = follow();
  await vi.advanceTimersByTimeAsync(8 * MINUTE);
  expect(shown).toEqual(["page 1"]);
  await vi.advanceTimersByTimeAsync(1.5 * MINUTE);
  expect(shown).toEqual(["page 1", "page 2"]);
  await vi.advanceTimersByTimeAsync(9.5 * MINUTE);
  expect(shown).toEqual(["page 1", "page 2", "page 3"]);
  stop();
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  expect(shown).toHaveLength(3);
});

test("where nobody looks it is asked for when they come back", async () => {
  const { shown, stop } = follow();
  await vi.advanceTimersByTimeAsync(MINUTE);
  see(true);
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  expect(shown).toEqual(["page 1"]);
  see(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(shown).toEqual(["page 1", "page 2"]);
  see(true);
  see(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(shown).toHaveLength(2);
  stop();
});

test("what comes after the panel is gone is for nobody", async () => {
  const { shown, stop } = follow();
  stop();
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(shown).toEqual([]);
});
