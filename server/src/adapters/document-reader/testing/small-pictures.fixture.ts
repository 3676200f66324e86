// The smallest pictures of each format, whole in their frame; nothing is to be seen in them.
import { crc32, deflateSync } from "node:zlib";

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([u32(data.length), named, u32(crc32(named))]);
}

const png = Buffer.concat([
  Buffer.from("89504e470d0a1a0a", "hex"),
  chunk("IHDR", Buffer.from("00000001000000010800000000", "hex")),
  chunk("IDAT", deflateSync(Buffer.from([0, 255]))),
  chunk("IEND", Buffer.alloc(0)),
]);

function ico(): Buffer {
  const head = Buffer.from("00000100010001010000010020000000000016000000", "hex");
  head.writeUInt32LE(png.length, 14);
  return Buffer.concat([head, png]);
}

const dib = "28000000010000000100000001001800000000000400000000000000000000000000000000000000";
const box = (type: string, data: string): Buffer =>
  Buffer.concat([u32(8 + data.length), Buffer.from(type + data, "latin1")]);
const jpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000ffda0008010100003f00d2cf20ffd9", "hex");

export const smallPictures: Readonly<Record<string, Buffer>> = {
  png,
  apng: png,
  jpg: jpeg,
  jpeg,
  gif: Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"),
  webp: Buffer.from("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", "base64"),
  bmp: Buffer.from(`424d3a0000000000000036000000${dib}ffffff00`, "hex"),
  ico: ico(),
  avif: Buffer.concat([box("ftyp", "avif0000avif"), box("meta", "0000"), box("mdat", "0000")]),
};
