// Deflated data that unpacks to far more than it is.
import { constants, deflateRawSync, deflateSync } from "node:zlib";

/** `piece` so often that it has `bytes` bytes, between a start and an end: made without ever being whole. */
export function deflatedBomb(
  piece: string,
  bytes: number,
  { start = "", end = "" } = {},
): { bytes: Buffer; size: number } {
  const block = Buffer.from(piece.repeat(Math.ceil(1_000_000 / piece.length)));
  const flush = { finishFlush: constants.Z_FULL_FLUSH };
  const packed = deflateRawSync(block, flush);
  const times = Math.ceil(bytes / block.length);
  return {
    bytes: Buffer.concat([
      deflateRawSync(start, flush),
      ...Array.from({ length: times }, () => packed),
      deflateRawSync(end),
    ]),
    size: Buffer.byteLength(start) + times * block.length + Buffer.byteLength(end),
  };
}

/** The same as a stream of PDF or PNG, which wants a head of two bytes; its checksum is left out. */
export function zlibBomb(piece: string, bytes: number): Buffer {
  return Buffer.concat([deflateSync("").subarray(0, 2), deflatedBomb(piece, bytes).bytes]);
}
