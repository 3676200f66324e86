/** What an element of a drawn formula takes, in characters of plain text. */
const costOfElement = 8;
/** KaTeX draws a formula as about so many elements: some for itself, for each sign, and for what stands above or below others. */
const elementsOfFormula = 8;
const elementsOfSign = 3;
const elementsOfStructure = 7;

const signs = /\\[A-Za-z]+|\\.|\d[\d.]*|[^\s{}\\]/g;
const structures = /[_^]|\\(?:[dt]?frac|sqrt|left|hat|vec|bar|overline|underline|binom)(?![A-Za-z])/g;
const opener = /\$\$?(?=\S)|\\[([]|\\begin(?=\{)/g;
const closers: Record<string, string> = { $: "$", $$: "$$", "\\(": "\\)", "\\[": "\\]", "\\begin": "\\end" };

/** What drawing a formula takes beyond that of its characters, in characters of plain text. */
export function costOfFormula(tex: string): number {
  const count = (of: RegExp) => tex.match(of)?.length ?? 0;
  const elements =
    elementsOfFormula + elementsOfSign * count(signs) + elementsOfStructure * count(structures);
  return costOfElement * elements;
}

/**
 * That of all formulas of a text together. What will most likely be one: two prices are none, a space stands before the
 * second, or a digit behind it. Takes time by the length of the text alone, whatever stands in it.
 */
export function costOfFormulas(text: string): number {
  const missing = new Set<string>();
  let cost = 0;
  opener.lastIndex = 0;
  for (let match = opener.exec(text); match !== null; match = opener.exec(text)) {
    const closer = closers[match[0]] ?? "";
    const start = opener.lastIndex;
    const end = missing.has(closer) ? -1 : text.indexOf(closer, start);
    if (end < 0) {
      missing.add(closer);
    } else if (closer === "$" && (/\s/.test(text.charAt(end - 1)) || /\d/.test(text.charAt(end + 1)))) {
      opener.lastIndex = end;
    } else {
      cost += costOfFormula(text.slice(start, end));
      opener.lastIndex = end + closer.length;
    }
  }
  return cost;
}
