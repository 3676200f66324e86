// Which encoding a text is in. A mark at its beginning decides, then whether it is valid UTF-8, then the look of UTF-16
// without a mark, then which of the East Asian encodings it is plausible in, then statistics of letters.
import { isAscii, isUtf8 } from "node:buffer";
import chardet from "chardet";
import { countFrequent } from "./frequent-characters.ts";

/** A label of the Encoding Standard. */
export type Encoding = string;

/** So much from the beginning of a file is looked at, besides the check that all of it is UTF-8. */
export const sampleBytes = 128 * 1024;

/** A pair of bytes in the part of an encoding that holds kana and the characters of everyday texts. */
interface EastAsian {
  name: Encoding;
  isCommon: (first: number, second: number) => boolean;
  /** What a text has for certain, and texts of the others hardly ever. */
  needs?: RegExp;
}

const eastAsian: readonly EastAsian[] = [
  // Symbols and the 3,755 characters of level 1 in GB 2312.
  {
    name: "gb18030",
    isCommon: (a, b) => b >= 0xa1 && ((a >= 0xa1 && a <= 0xa3) || (a >= 0xb0 && a <= 0xd7)),
  },
  // Symbols and the 5,401 characters of level 1.
  { name: "big5", isCommon: (a) => a >= 0xa1 && a <= 0xc6 },
  // Symbols, kana and the characters of level 1.
  {
    name: "shift_jis",
    isCommon: (a, b) => (a >= 0x81 && a <= 0x83) || (a >= 0x88 && a <= 0x97) || isEnd(a, b),
  },
  // The same, in the places where EUC-KR and GB 2312 have their characters.
  {
    name: "euc-jp",
    isCommon: (a, b) => b >= 0xa1 && ((a >= 0xa1 && a <= 0xa5) || (a >= 0xb0 && a <= 0xcf)),
    needs: /[\u3041-\u3093\u30a1-\u30f6]/,
  },
  // Symbols, letters of syllables and syllables.
  {
    name: "euc-kr",
    isCommon: (a, b) => b >= 0xa1 && (a === 0xa1 || a === 0xa3 || a === 0xa4 || (a >= 0xb0 && a <= 0xc8)),
  },
];

const isEnd = (first: number, second: number) => first === 0x98 && second <= 0x72;

const unprintable = /[^\P{Cc}\t\n\v\f\r]|[\u{fffe}\u{ffff}]/u;
const escapeCharacter = String.fromCharCode(27);

/** Whether it has what stands in no text. An escape does: logs have colours. */
const looksBinary = (text: string) => unprintable.test(text.replaceAll(escapeCharacter, ""));

/** The beginning of a text; `isCut`: its last character may be, since more follows. */
export interface Sample {
  bytes: Uint8Array;
  isCut: boolean;
}

/** Null when it is no text in any encoding known here. */
export function detectEncoding(sample: Sample): Encoding | null {
  const { bytes } = sample;
  const marked = encodingOfMark(bytes);
  if (marked !== null) return marked;
  const wide = wideWithoutMark(sample);
  if (wide !== null) return wide;
  if (bytes.includes(0)) return null;
  if (isUtf8(sample.isCut ? withoutCutEnd(bytes) : bytes)) return isShifted(sample) ? shifted : "utf-8";
  return eastAsianEncoding(sample) ?? singleByteEncoding(sample);
}

/** The encoding that a byte order mark names. */
function encodingOfMark(bytes: Uint8Array): Encoding | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return null;
}

/** Japanese of bytes that are all ASCII: escapes tell where its characters begin and end. */
export const shifted: Encoding = "iso-2022-jp";
const shift = Buffer.from(`${escapeCharacter}$`);

function isShifted(sample: Sample): boolean {
  const bytes = Buffer.from(sample.bytes.buffer, sample.bytes.byteOffset, sample.bytes.byteLength);
  return bytes.includes(shift) && isAscii(bytes) && decoded(sample, shifted) !== null;
}

/** Without the bytes of a character that the end of the sample cuts. */
function withoutCutEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
    if (byte < 0x80) return bytes;
  }
  return bytes;
}

/**
 * UTF-16 without a mark: the order of bytes in which it is valid, has no control characters and has the more line ends,
 * spaces and stops. What is ASCII in one order looks Chinese in the other.
 */
function wideWithoutMark({ bytes, isCut }: Sample): Encoding | null {
  if (!bytes.includes(0) || (bytes.length % 2 === 1 && !isCut)) return null;
  const readings = ["utf-16le", "utf-16be"].flatMap((name) => {
    const text = decoded({ bytes, isCut }, name);
    if (text === null || looksBinary(text)) return [];
    return [{ name, marks: text.match(/[\n ,.、。，]/g)?.length ?? 0 }];
  });
  const [best] = readings.toSorted((one, other) => other.marks - one.marks);
  return best !== undefined && best.marks > 0 ? best.name : null;
}

/** The sample in an encoding, null when it is not valid there. */
function decoded({ bytes, isCut }: Sample, name: Encoding): string | null {
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return null;
  }
}

function eastAsianEncoding(sample: Sample): Encoding | null {
  const ranked = chardet.analyse(sample.bytes).map(({ name }) => name.toLowerCase());
  const rank = (name: Encoding) => (ranked.includes(name) ? ranked.indexOf(name) : ranked.length);
  const candidates = eastAsian
    .flatMap((one) => {
      const text = decoded(sample, one.name);
      const share = commonShare(sample.bytes, one);
      const isPlausible = share > 0.8 && (one.needs?.test(text ?? "") ?? true);
      return text === null || !isPlausible ? [] : [{ name: one.name, share, frequent: countFrequent(text) }];
    })
    // A few characters are plausible in more than one; the statistics need more of them.
    .toSorted(
      (one, other) =>
        other.share - one.share || other.frequent - one.frequent || rank(one.name) - rank(other.name),
    );
  return candidates[0]?.name ?? null;
}

/** Of all characters of two bytes, the share of those that everyday texts consist of; 0 without any. */
function commonShare(sample: Uint8Array, { name, isCommon }: EastAsian): number {
  let pairs = 0;
  let common = 0;
  for (let at = 0; at < sample.length; at += 1) {
    const first = sample[at] ?? 0;
    if (first < 0x80 || (name === "shift_jis" && first >= 0xa1 && first <= 0xdf)) continue;
    pairs += 1;
    if (isCommon(first, sample[at + 1] ?? 0)) common += 1;
    at += 1;
  }
  return pairs === 0 ? 0 : common / pairs;
}

function singleByteEncoding(sample: Sample): Encoding | null {
  for (const { name } of chardet.analyse(sample.bytes)) {
    const label = /^(ISO-8859-1|windows-1252)$/i.test(name) ? "windows-1252" : name.toLowerCase();
    if (!/^(windows-125\d|iso-8859-\d+|koi8-r|euc-jp)$/.test(label)) continue;
    const text = decoded(sample, label);
    if (text !== null && !looksBinary(text)) return label;
  }
  return null;
}
