// The text of a file in whatever encoding it is, piece by piece.
import { isAscii } from "node:buffer";
import { detectEncoding, type Encoding, type Sample, sampleBytes, shifted } from "./detect-encoding.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { ReadingError } from "./reading-error.ts";

/**
 * @param declared an encoding that the text itself names; it is believed where the bytes are valid in it, but for a spoiled
 * place
 */
export function* decodedText(input: InputFile, declared?: Encoding): Generator<string> {
  refuseBinary(input.read(0, sampleBytes));
  const sample = tellingSample(input);
  const detected = detectEncoding(sample);
  const isSure = detected === "utf-8" || detected === shifted;
  const isBelieved = !isSure && declared !== undefined && isPlausible(sample, declared);
  const encoding = isBelieved ? declared : detected;
  if (encoding === null) throw new ReadingError(40_006, "no encoding known here");
  // The sample was UTF-8 and so is the rest, or it is a text with a spoiled place: U+FFFD stands there.
  const decoder = new TextDecoder(encoding);
  for (const piece of input.pieces()) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

/** The beginning; of a text that begins with more ASCII than that, what follows its first other character. */
function tellingSample(input: InputFile): Sample {
  const sampleAt = (start: number): Sample => {
    const bytes = input.read(start, sampleBytes);
    return { bytes, isCut: start + bytes.length < input.size };
  };
  const first = sampleAt(0);
  if (!first.isCut || !isAscii(first.bytes) || first.bytes.includes(0)) return first;
  let at = first.bytes.length;
  for (const piece of input.pieces(at)) {
    if (!isAscii(piece)) return sampleAt(at + piece.findIndex((byte) => byte >= 0x80));
    at += piece.length;
  }
  return first;
}

/** Of so many characters beside ASCII one may be spoiled. */
const soundForSpoiled = 10;

/** Whether a text can be in the encoding that it names; many a page names one and is in another. */
function isPlausible({ bytes, isCut }: Sample, declared: Encoding): boolean {
  let text: string;
  try {
    text = new TextDecoder(declared).decode(bytes, { stream: isCut });
  } catch {
    // There is no such encoding.
    return false;
  }
  const all = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  const spoiled = text.match(/\ufffd/gu)?.length ?? 0;
  return spoiled * soundForSpoiled <= all - spoiled;
}

/** First bytes of formats that are no text, whatever the name says. */
const binaryMarks: readonly (readonly number[])[] = [
  [0x25, 0x50, 0x44, 0x46, 0x2d], // %PDF-
  [0x50, 0x4b, 0x03, 0x04], // zip
  [0x50, 0x4b, 0x05, 0x06], // an empty zip
  [0xd0, 0xcf, 0x11, 0xe0], // compound file
  [0x89, 0x50, 0x4e, 0x47], // PNG
  [0xff, 0xd8, 0xff], // JPEG
  [0x47, 0x49, 0x46, 0x38], // GIF
  [0x1f, 0x8b], // gzip
  [0x7f, 0x45, 0x4c, 0x46], // ELF
  [0x52, 0x61, 0x72, 0x21], // RAR
  [0x37, 0x7a, 0xbc, 0xaf], // 7z
];

function refuseBinary(sample: Uint8Array): void {
  if (binaryMarks.some((mark) => mark.every((byte, index) => sample[index] === byte)))
    throw new ReadingError(40_008, "the content is of another type");
}
