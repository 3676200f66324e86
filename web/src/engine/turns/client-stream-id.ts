// The id by which a send is recognised however often it is repeated (chat engine §9, wire.md §11.2).
import type { Browser } from "../browser.ts";

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const LENGTH = 16;

/** `YYYYMMDD-` in local time and 16 random characters; needs no secure context. */
export function newClientStreamId(browser: Browser): string {
  const date = new Date(browser.now());
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part, index) => String(part).padStart(index === 0 ? 4 : 2, "0"))
    .join("");
  let random = "";
  while (random.length < LENGTH) {
    for (const byte of browser.randomBytes(LENGTH)) {
      // 252 is the greatest multiple of 36 in a byte: what lies above would favour some characters.
      if (byte < 252 && random.length < LENGTH) random += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return `${day}-${random}`;
}
