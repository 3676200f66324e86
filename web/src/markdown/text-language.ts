const sampleLength = 400;

/** The `lang` of a block: zh, ja or ko where its letters are mostly of that script, else undefined. */
export function textLanguage(text: string): "zh" | "ja" | "ko" | undefined {
  let han = 0;
  let kana = 0;
  let hangul = 0;
  let other = 0;
  const end = Math.min(text.length, sampleLength);
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x4e00 && code <= 0x9fff) han++;
    else if (code >= 0x3040 && code <= 0x30ff) kana++;
    else if (code >= 0xac00 && code <= 0xd7af) hangul++;
    else if ((code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code >= 0xc0) other++;
  }
  // A Latin word has about five letters where a Chinese one has two.
  const asian = han + kana + hangul;
  if (asian === 0 || asian * 3 < other) return undefined;
  if (hangul > han + kana) return "ko";
  return kana * 5 > asian ? "ja" : "zh";
}
