// People's e-mail addresses and phone numbers in what the page logs: masked, with a hash by which two lines can be told to
// be of the same person (requirements 0§7). Loaded when a line has one.
import { maskEmail, maskMobile } from "@plumb/protocol/rules/masks";
import { sha256Ascii } from "../engine/guard/sha256.ts";
import { PERSONAL } from "./personal-pattern.ts";

const HASH_CHARS = 16;

/** `ann@x.org` → `a*****@x.org#0123…`; `13812345678` → `138****5678#0123…`; all else as it is. */
export function maskPersonal(text: string): string {
  return text.replace(new RegExp(PERSONAL, "g"), (found) => {
    const masked = found.includes("@") ? maskEmail(found) : maskMobile(found.replace(/^\+?86[ -]?/, ""));
    return `${masked}#${sha256Ascii(found.toLowerCase()).slice(0, HASH_CHARS)}`;
  });
}
