import { expect, test } from "vitest";
import { isUnsafeWrapper } from "./unsafe-wrapper.ts";

const chrome =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36";

test("[NOTE-024] a program is warned of by a part of its user agent, and browsers are not", () => {
  expect(isUnsafeWrapper(`${chrome} BadWrap/1.2`, ["badwrap/"])).toBe(true);
  expect(isUnsafeWrapper(chrome, ["badwrap/"])).toBe(false);
  expect(isUnsafeWrapper(chrome, [""])).toBe(false);
  expect(isUnsafeWrapper(chrome, [])).toBe(false);
});
