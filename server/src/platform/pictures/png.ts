// Pixels → a PNG file (RFC 2083): eight bits a channel, no filters, one block of data. Nothing else is written into it.
import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";

const deflated = promisify(deflate);

export interface Pixels {
  width: number;
  height: number;
  /** 3 = RGB, 4 = with alpha. */
  channels: 3 | 4;
  /** Row by row, `channels` bytes a pixel. */
  data: Uint8Array;
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const COLOUR_TYPES = { 3: 2, 4: 6 } as const;

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Compresses outside of the event loop. */
export async function encodePng({ width, height, channels, data }: Pixels): Promise<Buffer> {
  const stride = width * channels;
  const rows = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y++)
    rows.set(data.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = COLOUR_TYPES[channels];
  const compressed = await deflated(rows, { level: 1 });
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", compressed),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
