import { expect, test } from "vitest";
import { keepLog, logQueue } from "./log-queue.ts";
import { maskPersonal } from "./personal-data.ts";

const HASH = "#[0-9a-f]{16}";

test("[PLAT-010][PLAT-011][PLAT-012] addresses and numbers of people are masked and hashed, wherever they stand", () => {
  const text = maskPersonal('sent to {"to":"abcdefz@x.com"}, then 13812345678 and +86 13812345678.');
  expect(text).toMatch(
    new RegExp(
      `^sent to \\{"to":"ab\\*{5}z@x\\.com${HASH}"\\}, then 138\\*{4}5678${HASH} and 138\\*{4}5678${HASH}\\.$`,
    ),
  );
  const [one, two, other] = ["ann@x.org", "Ann@X.org", "bob@x.org"].map(
    (email) => maskPersonal(email).split("#")[1],
  );
  expect(one).toBe(two);
  expect(one).not.toBe(other);
});

test("other numbers and words stay as they are", () => {
  for (const text of ["file-1381234567", "at 1790000000000", "12345678901234", "a @ b", "x@y", ""])
    expect(maskPersonal(text)).toBe(text);
});

test("[PLAT-010] a line of the log holds none of them, neither at once nor later", async () => {
  logQueue.setState({ lines: [] });
  keepLog(1, "signed in", { email: "abcdefz@x.com" });
  keepLog(2, "nothing personal");
  const texts = () => logQueue.getState().lines.map(({ text }) => text);
  expect(texts().join()).not.toContain("abcdefz");
  await expect.poll(() => texts()[0]).toMatch(/ab\*{5}z@x\.com#/);
  expect(texts()[1]).toBe("nothing personal");
});
