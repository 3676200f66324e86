// Lengths of the contract count Unicode code points (wire-contract.md §0), not UTF-16 units.

/** Number of code points; a lone surrogate counts as one. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index + 1 < text.length; index++) {
    if (isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1))) {
      length--;
      index++;
    }
  }
  return length;
}

/** True when `text` has at most `max` code points; does not walk texts that are clearly short or long. */
export function hasAtMost(text: string, max: number): boolean {
  if (text.length <= max) return true;
  if (text.length > 2 * max) return false;
  return codePointLength(text) <= max;
}

/** The first `max` code points. */
export function firstCodePoints(text: string, max: number): string {
  let units = 0;
  for (let taken = 0; taken < max && units < text.length; taken++) {
    const isPair = isHighSurrogate(text.charCodeAt(units)) && isLowSurrogate(text.charCodeAt(units + 1));
    units += isPair ? 2 : 1;
  }
  return text.slice(0, units);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
