// How the numbers of lists are written. Pure.

const romans: readonly (readonly [number, string])[] = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
];
/** Larger numbers are written in digits. */
const mostRoman = 3999;
const mostLetters = 26 * 9;

function roman(value: number): string {
  let left = value;
  let text = "";
  for (const [worth, letters] of romans) {
    for (; left >= worth; left -= worth) text += letters;
  }
  return text;
}

/** As Word counts: z, aa, bb. */
const letter = (value: number): string =>
  String.fromCodePoint(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));

const chineseDigits = [..."零一二三四五六七八九"];
const chinesePlaces = ["千", "百", "十", ""];

/** 12 → 十二, 105 → 一百零五. */
function chinese(value: number): string {
  let text = "";
  let isGap = false;
  for (const [at, digit] of [...String(value).padStart(4, "0")].entries()) {
    const number = Number(digit);
    if (number === 0) isGap = text !== "";
    else {
      text += `${isGap ? "零" : ""}${chineseDigits[number]}${chinesePlaces[at]}`;
      isGap = false;
    }
  }
  return text.replace(/^一十/, "十");
}

const lists: Readonly<Record<string, string>> = {
  ideographTraditional: "甲乙丙丁戊己庚辛壬癸",
  ideographZodiac: "子丑寅卯辰巳午未申酉戌亥",
  ganada: "가나다라마바사아자차카타파하",
  aiueo: "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン",
  iroha: "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン",
};

const circled = [..."①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"];

/** The number in a format of Word's; in digits where the format is not known here, or does not go so far. */
export function listNumber(format: string, value: number): string {
  if (format === "none" || format === "bullet") return "";
  if (!Number.isSafeInteger(value) || value < 1) return String(value);
  if (format === "decimalZero") return String(value).padStart(2, "0");
  if (/^(?:upper|lower)Roman$/.test(format) && value <= mostRoman) return cased(format, roman(value));
  if (/^(?:upper|lower)Letter$/.test(format) && value <= mostLetters) return cased(format, letter(value));
  if (/^(?:chinese|taiwanese|japanese)Counting(?:Thousand)?$/.test(format) && value <= 9999)
    return chinese(value);
  if (format.startsWith("decimalEnclosedCircle")) return circled[value - 1] ?? String(value);
  return [...(lists[format] ?? "")][value - 1] ?? String(value);
}

const cased = (format: string, text: string): string =>
  format.startsWith("upper") ? text.toUpperCase() : text;
