// Whether something in the browser keeps requests back that look like advertising: it often keeps back others, too.
import { VERSION_PATH } from "@plumb/protocol/wire/site";
import type { Browser } from "../browser.ts";

/** Ours, under a name that every list has. */
const BAIT = "/static/ads/adsbygoogle.js";

/** True where the bait does not come although the server answers. */
export async function isAdBlockOn(browser: Browser): Promise<boolean> {
  const ask = (path: string): Promise<boolean> =>
    browser.fetch(path, { method: "GET", headers: {} }).then(
      () => true,
      () => false,
    );
  return !(await ask(BAIT)) && (await ask(VERSION_PATH));
}
