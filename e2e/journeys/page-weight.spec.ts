// What a page loads before anybody touches it stays light (the benchmark bundle-size tells its parts).
import { expect, test } from "../support/journey.ts";
import { loadedFiles, weightLimits, weightOf } from "../support/page-weight.ts";

test("the sign-in page and the chat page keep their weight", async ({ openAs, account, stack }) => {
  const signIn = await loadedFiles(await openAs(null, { path: "about:blank" }), `${stack.origin}/sign_in`);
  const chat = await loadedFiles(await openAs(account, { path: "about:blank" }), `${stack.origin}/`);
  for (const files of [signIn, chat]) expect(files.length).toBeGreaterThan(5);
  expect(weightOf(signIn.filter(({ isCode }) => isCode))).toBeLessThanOrEqual(weightLimits.signIn);
  expect(weightOf(chat.filter(({ isCode }) => isCode))).toBeLessThanOrEqual(weightLimits.chat);
});
