const firstStrong =
  /[A-Za-z\u00c0-\u024f\u0370-\u058f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/**
 * "rtl" where the first letter is of Hebrew, Arabic or a kindred script, else undefined. For elements around others with
 * `dir="auto"`, whose own "auto" would look at nothing.
 */
export function textDirection(text: string): "rtl" | undefined {
  const letter = firstStrong.exec(text)?.[0];
  return letter !== undefined && /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(letter) ? "rtl" : undefined;
}
