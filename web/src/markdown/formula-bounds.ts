/**
 * A longer formula is not drawn. KaTeX took 0.7 s for one of 10,000 signs and 4.6 s for one of 20,000; the longest in
 * answers of models have some 3,000.
 */
export const longestFormula = 10_000;

/**
 * Nor is one whose groups, environments and brackets stand deeper in each other. KaTeX draws a level as up to 11 elements
 * in each other, and Chromium's layout has no stack left at about 900: 150 fractions, or 80 braces under braces, killed the
 * tab. A continued fraction of 20 steps has 20 levels.
 */
export const deepestFormula = 40;

/**
 * Nor is one whose drawing is deeper, however its source gets there: by macros of its own, or by commands that hold what
 * follows them (`\large`). A formula may stand 200 elements deep in notes, so this is half of what layout bears.
 */
const deepestDrawing = 400;

/** Nor one of more elements: a matrix of 1,000 columns has 17,000, and takes 1.6 s; one of 5,000 took ten. */
const mostElements = 20_000;

/** Comments hold no signs; `\{` opens nothing. */
const groupSigns =
  /(?<opens>\\begin\s*\{[^{}]*\}|\\(?:left|begingroup|bgroup)(?![A-Za-z])|\{)|(?<closes>\\end\s*\{[^{}]*\}|\\(?:right|endgroup|egroup)(?![A-Za-z])|\})|\\[^]|%[^\n]*/g;

/** Whether the TeX itself shows that it must not be drawn. Takes time by its length; more text behind it does not change a yes. */
export function isBeyondBounds(tex: string): boolean {
  if (tex.length > longestFormula) return true;
  let depth = 0;
  for (const { groups } of tex.matchAll(groupSigns)) {
    if (groups?.["opens"] !== undefined && ++depth > deepestFormula) return true;
    if (groups?.["closes"] !== undefined && depth > 0) depth--;
  }
  return false;
}

/** Whether a drawing is too deep or too large to be shown. Not recursive, since what it looks at may be very deep. */
export function isDrawnBeyondBounds(drawing: Element): boolean {
  let depth = 0;
  let count = 0;
  for (let element: Element | null = drawing.firstElementChild; element !== null;) {
    if (++count > mostElements) return true;
    if (element.firstElementChild !== null) {
      if (++depth >= deepestDrawing) return true;
      element = element.firstElementChild;
      continue;
    }
    while (element.nextElementSibling === null) {
      if (depth === 0) return false;
      element = element.parentElement!;
      depth--;
    }
    element = element.nextElementSibling;
  }
  return false;
}
