import { expect, test } from "vitest";
import { dayAndTimeText, dayText, momentText } from "./moment-text.ts";

test("the end of a mute, or the day of a share, is written as the locale writes moments [I18N-006] [SHARE-036]", () => {
  const secs = new Date(2026, 8, 21, 15, 4, 59).getTime() / 1000;
  expect(momentText(secs, "en_US")).toMatch(/^September 21, 2026 at 3:04\sPM$/);
  expect(momentText(secs, "zh_CN")).toBe("2026年9月21日 15:04");
});

test("a day is written as year, month and day, in every language [I18N-005]", () => {
  expect(dayText(new Date(2026, 2, 1, 23, 59).getTime() / 1000)).toBe("2026/03/01");
  expect(dayText(new Date(1999, 11, 31).getTime() / 1000)).toBe("1999/12/31");
  expect(dayAndTimeText(new Date(2026, 2, 1, 4, 5, 59).getTime() / 1000)).toBe("2026/03/01\u00a004:05");
});
