// Whether the bytes of a picture are all there, told by its frame alone: nothing is unpacked, so that a broken picture is
// known as one also where words in pictures are not read.
import { requireBmp, requireIco } from "./bitmap.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { ReadingError } from "./reading-error.ts";

/** Parts of a picture that are walked through: no picture has so many. */
const mostParts = 200_000;

const cutShort = (): ReadingError => new ReadingError(40_003, "the picture is cut short");

type Check = (input: InputFile) => void;

/** By their first bytes: PNG and APNG, JPEG, GIF, BMP and ICO; RIFF and ISO files name their kind a little later. */
const byMark: readonly (readonly [mark: string, check: Check])[] = [
  ["89504e470d0a1a0a", requirePng],
  ["ffd8ff", requireJpeg],
  ["474946383761", requireGif],
  ["474946383961", requireGif],
  ["424d", (input) => requireBmp(input.readAll())],
  ["00000100", (input) => requireIco(input.readAll())],
];

/** Throws 40008 when it is none of the formats that are taken, and 40003 when its end is missing. */
export function requireWholePicture(input: InputFile): void {
  const start = input.read(0, 16);
  checkOf(start)(input);
}

function checkOf(start: Buffer): Check {
  const found = byMark.find(([mark]) => start.toString("hex").startsWith(mark));
  if (found !== undefined) return found[1];
  if (start.toString("latin1", 0, 4) === "RIFF" && start.toString("latin1", 8, 12) === "WEBP")
    return requireWebp;
  if (/^ftypavi[fs]$/.test(start.toString("latin1", 4, 12))) return requireAvif;
  throw new ReadingError(40_008, "no picture");
}

function requirePng(input: InputFile): void {
  for (let at = 8, parts = 0; parts < mostParts; parts += 1) {
    const head = input.read(at, 8);
    if (head.length < 8) throw cutShort();
    const type = head.toString("latin1", 4, 8);
    if (parts === 0 && type !== "IHDR") throw cutShort();
    at += 12 + head.readUInt32BE(0);
    if (at > input.size) throw cutShort();
    if (type === "IEND") return;
  }
  throw new ReadingError(40_007, "too many parts");
}

/** Segments up to the first scan, which ends in a mark that no packed pixel looks like. */
function requireJpeg(input: InputFile): void {
  let at = 2;
  for (let parts = 0; parts < mostParts; parts += 1) {
    const [lead, kind = 0, high = 0, low = 0] = input.read(at, 4);
    if (lead !== 0xff) throw cutShort();
    if (kind === 0xff) {
      at += 1;
      continue;
    }
    if (kind === 0xd9) throw cutShort();
    at += 2 + (high << 8) + low;
    if (kind === 0xda) break;
  }
  let last = 0;
  for (const piece of input.pieces(at)) {
    if (piece.includes("\xff\xd9", 0, "latin1") || (last === 0xff && piece[0] === 0xd9)) return;
    last = piece.at(-1) ?? 0;
  }
  throw cutShort();
}

/** One whole frame is enough: many a GIF lacks its last byte. */
function requireGif(input: InputFile): void {
  const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const byteAt = (at: number): number => {
    const byte = input.read(at, 1)[0];
    if (byte === undefined) throw cutShort();
    return byte;
  };
  let at = 13 + tableBytes(byteAt(10));
  for (let parts = 0; parts < mostParts;) {
    const kind = byteAt(at);
    if (kind !== 0x21 && kind !== 0x2c) throw cutShort();
    at += kind === 0x21 ? 2 : 11 + tableBytes(byteAt(at + 9));
    for (let length = byteAt(at); length !== 0 && parts < mostParts; parts += 1) {
      at += 1 + length;
      length = byteAt(at);
    }
    at += 1;
    if (kind === 0x2c) return;
  }
  throw new ReadingError(40_007, "too many parts");
}

function requireWebp(input: InputFile): void {
  if (input.read(4, 4).readUInt32LE(0) + 8 > input.size || input.size < 20) throw cutShort();
}

/** Boxes, one after the other; the pixels lie in `mdat`. */
function requireAvif(input: InputFile): void {
  const seen = new Set<string>();
  for (let at = 0, parts = 0; at < input.size && parts < mostParts; parts += 1) {
    const head = input.read(at, 16);
    if (head.length < 8) throw cutShort();
    seen.add(head.toString("latin1", 4, 8));
    const short = head.readUInt32BE(0);
    // 0: up to the end; 1: the length stands behind the name.
    const length = short === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : short;
    if (short === 0) break;
    if (length < 8 || at + length > input.size) throw cutShort();
    at += length;
  }
  if (!seen.has("meta") || !seen.has("mdat")) throw cutShort();
}
