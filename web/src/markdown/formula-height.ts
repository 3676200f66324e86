/** Pixels that KaTeX gives a row of a displayed formula at the size of the text of replies, by the tallest thing in it. */
const rowHeights: readonly (readonly [RegExp, number])[] = [
  [/\\(?:sum|prod|coprod|bigcup|bigcap|bigoplus)(?![A-Za-z])/, 57],
  [/\\(?:int|iint|iiint|oint)(?![A-Za-z])/, 48],
  [/\\(?:[dc]?frac|binom)(?![A-Za-z])/, 38],
  [/\\(?:lim|max|min|underbrace)(?![A-Za-z])/, 32],
];
const plainRow = 23;
/** Rows of equations stand further apart than those of a matrix. */
const equationRow = 27;
/** Of more rows nobody sees the end: what stands below them is far. */
const mostRows = 40;

/** About how high (pixels) a displayed formula will be once it is drawn. Takes time by the length of the TeX. */
export function likelyFormulaHeight(tex: string): number {
  const rows = Math.min(mostRows, (tex.match(/\\\\/g)?.length ?? 0) + 1);
  const row = rowHeights.find(([what]) => what.test(tex))?.[1] ?? plainRow;
  if (rows === 1) return row;
  return rows * Math.max(row, /\\begin\{\w?matrix\}/.test(tex) ? plainRow : equationRow);
}
