// What the characters of the fonts Symbol and Wingdings show: documents name them by their place in the font.

/** From 0x20 on, by Adobe's table of the font; a space for what is only a part of a larger sign. */
const symbol = [
  " !∀#∃%&∋()∗+,−./0123456789:;<=>?",
  "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_",
  "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼ ",
].join("");
/** From 0xa0 on. */
const symbolAbove = [
  "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵",
  "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓",
  "◊〈®©™∑           〉∫",
].join("");

/** Those that say something: boxes and ticks of forms, arrows, points of lists. */
const wingdings: Readonly<Record<number, string>> = {
  0x6c: "●",
  0x6e: "■",
  0x6f: "□",
  0x71: "❑",
  0x72: "❒",
  0x75: "◆",
  0x76: "❖",
  0x9f: "•",
  0xa1: "○",
  0xa7: "▪",
  0xa8: "☐",
  0xd8: "➢",
  0xdf: "←",
  0xe0: "→",
  0xe1: "↑",
  0xe2: "↓",
  0xf0: "⇨",
  0xfb: "✗",
  0xfc: "✓",
  0xfd: "☒",
  0xfe: "☑",
};

const wingdings2: Readonly<Record<number, string>> = {
  0x4f: "✗",
  0x50: "✓",
  0x51: "☒",
  0x52: "☑",
  0x53: "☒",
  0x54: "☒",
  0xa3: "☐",
};

/** Fonts whose characters are none of those that their places name. */
const ownFonts = /^(?:symbol$|wingdings|webdings)/i;

/** Where Unicode has room for what is of one font alone. */
const privateFirst = 0xe000;
const privateLast = 0xf8ff;

/**
 * The character at a place of a font, which may be given as U+F000 and more. One that only the font knows becomes U+FFFD: it is
 * seen that something stands there.
 */
export function symbolOf(font: string, code: number): string {
  const isPrivate = code >= privateFirst && code <= privateLast;
  const place = isPrivate ? code & 0xff : code;
  const found = placeIn(font.toLowerCase(), place)?.trim();
  if (found) return found;
  const isKnown = !isPrivate && !ownFonts.test(font) && code >= 0x20 && code <= 0x10_ffff;
  return isKnown ? String.fromCodePoint(code) : "\u{fffd}";
}

function placeIn(font: string, place: number): string | undefined {
  if (font === "symbol") return place < 0xa0 ? symbol[place - 0x20] : symbolAbove[place - 0xa0];
  if (font === "wingdings") return wingdings[place];
  return font === "wingdings 2" ? wingdings2[place] : undefined;
}

/** A text in a font, with the characters that it shows where they are not those of Unicode; what is not known here stays. */
export function shownIn(font: string, text: string): string {
  if (!ownFonts.test(font)) return text;
  return text.replaceAll(/[\u0080-\u00ff\uf020-\uf0ff]/g, (character) => {
    const shown = symbolOf(font, character.charCodeAt(0));
    return shown === "\u{fffd}" ? character : shown;
  });
}
