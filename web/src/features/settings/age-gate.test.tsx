import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { loadAccountTexts } from "../../i18n/account-texts.ts";
import { setLocale } from "../../i18n/i18n.ts";
import { BirthdayForm } from "./birthday-form.tsx";

beforeAll(async () => {
  await setLocale("en_US");
  await loadAccountTexts();
});

const draw = (year: string, month: string, sending = false) =>
  renderToStaticMarkup(
    <BirthdayForm
      year={year}
      month={month}
      sending={sending}
      onYear={() => {}}
      onMonth={() => {}}
      onSubmit={() => {}}
      onLeave={() => {}}
    />,
  );
const confirm = (drawn: string) => /<button[^>]*type="submit"[^>]*>/u.exec(drawn)?.[0] ?? "";

test("[ACCT-043] the birthday is confirmed with both year and month alone", () => {
  for (const [year, month] of [
    ["", ""],
    ["1990", ""],
    ["", "5"],
  ] as const)
    expect(confirm(draw(year, month))).toContain("disabled");
  expect(confirm(draw("1990", "5"))).not.toContain("disabled");
  expect(confirm(draw("1990", "5", true))).toContain("disabled");
});

test("[ACCT-044] the age gate offers years from 1900 on and twelve months", () => {
  const options = [...draw("", "").matchAll(/<option value="(\d+)"/gu)].map(([, value]) => Number(value));
  expect(options.slice(-12)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(options.at(-13)).toBe(1900);
  expect(options[0]).toBeGreaterThanOrEqual(2025);
});
