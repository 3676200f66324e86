import { expect, test } from "vitest";
import { listNumber } from "./list-numbers.ts";

test.each([
  ["decimal", [1, 12], ["1", "12"]],
  ["decimalZero", [1, 12], ["01", "12"]],
  ["lowerLetter", [1, 26, 27, 28], ["a", "z", "aa", "bb"]],
  ["upperRoman", [4, 9, 1994, 4000], ["IV", "IX", "MCMXCIV", "4000"]],
  [
    "chineseCountingThousand",
    [1, 10, 12, 20, 105, 110, 1001, 2020],
    ["一", "十", "十二", "二十", "一百零五", "一百一十", "一千零一", "二千零二十"],
  ],
  ["japaneseCounting", [3], ["三"]],
  ["decimalEnclosedCircleChinese", [1, 20, 21], ["①", "⑳", "21"]],
  ["ideographTraditional", [2, 11], ["乙", "11"]],
  ["a format of tomorrow", [7, 0], ["7", "0"]],
  ["bullet", [1], [""]],
] as const)("numbers as %s", (format, values, texts) => {
  expect(values.map((value) => listNumber(format, value))).toEqual(texts);
});
