import { expect, test } from "vitest";
import * as browser from "./browser-categories.ts";
import { createParser } from "./markdown-parser.ts";

const { P: punctuation, S: symbols } = createParser().utils.lib.ucmicro;

test("punctuation and symbols are those of the package, but for newer characters", () => {
  const missing: string[] = [];
  let newer = 0;
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const is = browser.P.test(character) || browser.S.test(character);
    const was = punctuation.test(character) || symbols.test(character);
    if (was && !is) missing.push(code.toString(16));
    if (is && !was) newer++;
  }
  expect(missing).toEqual([]);
  expect(newer).toBeLessThan(200);
});
