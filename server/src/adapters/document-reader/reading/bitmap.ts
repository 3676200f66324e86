// The two formats of Windows that sharp does not read: BMP, and ICO, which holds BMPs without their head or PNGs.
import { ReadingError } from "./reading-error.ts";

/** Pixels of three bytes from the top left. */
export interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

const pngMark = "89504e470d0a1a0a";
const fileHeadBytes = 14;

const corrupt = (why: string) => new ReadingError(40_003, why);

/** @param most pixels that are taken; 40007 when there are more, before any is read */
export function readBmp(bytes: Buffer, most: number): Pixels {
  return readDib(bytes.subarray(fileHeadBytes), bytes.readUInt32LE(10) - fileHeadBytes, false, most);
}

/** Throws 40003 for a bitmap that is damaged, without reading its pixels. */
export function requireBmp(bytes: Buffer): void {
  orDamagedBitmap(() =>
    shapeOf(bytes.subarray(fileHeadBytes), bytes.readUInt32LE(10) - fileHeadBytes, false),
  );
}

/** As `requireBmp`, for an icon; the frame of a PNG in it is not looked at. */
export function requireIco(bytes: Buffer): void {
  orDamagedBitmap(() => {
    const picture = largestOf(bytes);
    if (picture.toString("hex", 0, 8) !== pngMark) shapeOf(picture, null, true);
  });
}

/** What lies outside of the bytes is a RangeError. */
export function orDamagedBitmap<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof ReadingError ? error : corrupt(String(error));
  }
}

/** The largest picture of an icon: its PNG, or its pixels. */
export function readIco(bytes: Buffer, most: number): Buffer | Pixels {
  const picture = largestOf(bytes);
  return picture.toString("hex", 0, 8) === pngMark ? picture : readDib(picture, null, true, most);
}

function largestOf(bytes: Buffer): Buffer {
  const count = Math.min(bytes.readUInt16LE(4), 256);
  let best = { area: 0, size: 0, offset: 0 };
  for (let at = 6; at < 6 + count * 16; at += 16) {
    // 0 stands for 256.
    const area = (bytes.readUInt8(at) || 256) * (bytes.readUInt8(at + 1) || 256);
    if (area > best.area)
      best = { area, size: bytes.readUInt32LE(at + 8), offset: bytes.readUInt32LE(at + 12) };
  }
  const picture = bytes.subarray(best.offset, best.offset + best.size);
  if (picture.length < 8 || picture.length < best.size) throw corrupt("no picture in the icon");
  return picture;
}

interface Shape {
  width: number;
  height: number;
  bits: number;
  /** Its first row is the lowest. */
  isUpward: boolean;
  /** Bytes before its colours, before its pixels and in each row. */
  head: number;
  start: number;
  stride: number;
}

/** A device-independent bitmap without compression. `isIcon`: its height counts a mask that follows. */
function shapeOf(bytes: Buffer, pixelsAt: number | null, isIcon: boolean): Shape {
  const head = bytes.readUInt32LE(0);
  const width = bytes.readInt32LE(4);
  const signed = bytes.readInt32LE(8);
  const height = Math.abs(signed) / (isIcon ? 2 : 1);
  const bits = bytes.readUInt16LE(14);
  const compression = bytes.readUInt32LE(16);
  if (width <= 0 || height < 1 || ![1, 4, 8, 24, 32].includes(bits)) throw corrupt("no bitmap");
  // 3 = fields of bits, which 32-bit bitmaps name in their usual order.
  if (compression !== 0 && !(compression === 3 && bits === 32)) throw corrupt("compressed");
  const colours = bits <= 8 ? bytes.readUInt32LE(32) || 2 ** bits : 0;
  const start = pixelsAt ?? head + colours * 4;
  const stride = Math.ceil((width * bits) / 32) * 4;
  if (start + stride * height > bytes.length) throw corrupt("cut short");
  return { width, height, bits, isUpward: signed > 0, head, start, stride };
}

function readDib(bytes: Buffer, pixelsAt: number | null, isIcon: boolean, most: number): Pixels {
  const { width, height, bits, isUpward, head, start, stride } = shapeOf(bytes, pixelsAt, isIcon);
  if (width * height > most) throw new ReadingError(40_007, "too many pixels");
  const data = Buffer.alloc(width * height * 3);
  for (let row = 0; row < height; row += 1) {
    const from = start + stride * (isUpward ? height - 1 - row : row);
    for (let column = 0; column < width; column += 1) {
      const to = (row * width + column) * 3;
      const colour = bits > 8 ? from + (column * bits) / 8 : head + indexAt(bytes, from, column, bits) * 4;
      data[to] = bytes[colour + 2] ?? 0;
      data[to + 1] = bytes[colour + 1] ?? 0;
      data[to + 2] = bytes[colour] ?? 0;
    }
  }
  return { data, width, height };
}

/** The number of a colour in a row of pixels of less than a byte. */
function indexAt(bytes: Buffer, row: number, column: number, bits: number): number {
  const byte = bytes[row + Math.floor((column * bits) / 8)] ?? 0;
  return (byte >> (8 - bits - ((column * bits) % 8))) & (2 ** bits - 1);
}
