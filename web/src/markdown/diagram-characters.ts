import { decodeHTMLStrict } from "./browser-entities.ts";

/** diagram-page.js takes it off again: characters of ASCII and Latin-1 are hidden in a private area, one for one. */
const hiding = 0xf700;

/**
 * Lines that style, where `#333;` is a colour; then what stands for a character, in the way of HTML or of mermaid
 * (`#35;`, `#quot;`); then the beginning of what would be read as a tag, but for `<br>`.
 */
const written =
  /(?:^|;)[ \t]*(?:style|classDef|linkStyle)[ \t].*|&?#(?:(\d{1,7})|x([\da-f]{1,6}));|[&#]([a-z][a-z\d]{1,31};)|(?<!<)<(?=\/?[a-z])(?!\/?br[ \t]*\/?>)/gim;

/** What ends a type's parameter that has begun so: `List<Order>`. No part of an arrow. */
const endOfType = /(?<=\uf73c[\p{L}\p{N}_$.,? ]{1,60})>/gu;
/** A comparison: `x > 5`, `x >= 5`. Mermaid loses the sign where it stands alone. */
const comparison = /(?<=[ \t])>(?==?[ \t])/g;

/**
 * The source of a diagram whose escaped characters are hidden from mermaid, as is `<` before a word, and `>` behind one or alone. It would show the former
 * as they are escaped, and drop the latter with its word. Once a text is made of them they are themselves, and never markup.
 */
export function withHiddenCharacters(source: string): string {
  const shown = source.replace(
    written,
    (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (whole === "<") return hidden(whole);
      if (decimal !== undefined) return ofNumber(Number(decimal)) ?? whole;
      if (hex !== undefined) return ofNumber(Number.parseInt(hex, 16)) ?? whole;
      if (name === undefined) return whole;
      const named = decodeHTMLStrict(`&${name}`);
      return named.startsWith("&") && named.length > 1 ? whole : hidden(named);
    },
  );
  return [endOfType, comparison].reduce((text, sign) => text.replace(sign, hidden), shown);
}

/** Null of a number that is no character of XML. */
function ofNumber(code: number): string | null {
  const isCharacter =
    code >= 32 &&
    code <= 0x10_ff_ff &&
    (code < 0xd800 || code > 0xdfff) &&
    code !== 0xfffe &&
    code !== 0xffff;
  return isCharacter ? hidden(String.fromCodePoint(code)) : null;
}

/** Room that is escaped is meant to stay: mermaid trims and splits at any that it sees. */
function hidden(character: string): string {
  const code = /^\s/.test(character) ? 0xa0 : character.charCodeAt(0);
  return code < 0x1_00 ? String.fromCharCode(hiding + code) : character;
}
