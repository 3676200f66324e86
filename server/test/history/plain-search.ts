// What a search answers, told in another way than the product does it: no index, no words, one regular expression over the
// whole text.
const wordSigns = String.raw`[\p{L}\p{N}\p{M}]`;
const dense = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆〇]`;
/** Marks a capital inside a word. */
const CAPITAL = "\u0001";
const inWord = `(?!${dense})${wordSigns}`;

function plainFold(text: string): string {
  return text
    .replaceAll(/(?<=[a-z0-9])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/gu, `${CAPITAL}$&`)
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036F]/gu, "")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFKC")
    .replaceAll("ß", "ss")
    .replaceAll("ς", "σ")
    .replaceAll("ı", "i");
}

/** True when each part of the query between spaces stands in the text, the last one with a word that may go on. */
export function plainSearch(query: string, text: string): boolean {
  const terms = plainFold(query).replaceAll(CAPITAL, "").split(/\s+/u).filter(Boolean);
  const folded = plainFold(text);
  return terms.every((term, index) => {
    const letters = [...term];
    const isWord = (letter = "") => new RegExp(`^${inWord}$`, "u").test(letter);
    const before = isWord(letters[0]) ? `(?<!${inWord})` : "";
    const after = index < terms.length - 1 && isWord(letters.at(-1)) ? `(?!${CAPITAL}?${inWord})` : "";
    const middle = letters.map((letter) => letter.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, "\\$&"));
    return new RegExp(before + middle.join(`${CAPITAL}?`) + after, "u").test(folded);
  });
}
