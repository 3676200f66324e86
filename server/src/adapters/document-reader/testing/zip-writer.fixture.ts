// Zip archives, also of the kinds that no program writes.
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipPart {
  name: string;
  content: string | Uint8Array;
  /** Already deflated, with the size and the sum it says to have, the sum 0 where none is given: for bombs. */
  deflated?: { bytes: Buffer; size: number; crc?: number };
  flags?: number;
}

const header = (signature: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.writeUInt32LE(signature);
  return bytes;
};

/** `record` fills the fields that the local and the central header share, from `at` on. */
function shared(bytes: Buffer, at: number, part: ZipPart, packed: Buffer, size: number, crc: number): void {
  bytes.writeUInt16LE(20, at);
  bytes.writeUInt16LE((part.flags ?? 0) | 0x0800, at + 2);
  bytes.writeUInt16LE(8, at + 4);
  bytes.writeUInt32LE(crc, at + 10);
  bytes.writeUInt32LE(packed.length, at + 14);
  bytes.writeUInt32LE(size, at + 18);
  bytes.writeUInt16LE(Buffer.byteLength(part.name), at + 22);
}

/** An archive of these parts, in this order. */
export function zip(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const content = Buffer.from(part.content);
    const packed = part.deflated?.bytes ?? deflateRawSync(content);
    const size = part.deflated?.size ?? content.length;
    const crc = part.deflated === undefined ? crc32(content) : (part.deflated.crc ?? 0);
    const local = header(0x04034b50, 30);
    shared(local, 4, part, packed, size, crc);
    const entry = header(0x02014b50, 46);
    entry.writeUInt16LE(20, 4);
    shared(entry, 6, part, packed, size, crc);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(part.name), packed);
    central.push(entry, Buffer.from(part.name));
    offset += local.length + Buffer.byteLength(part.name) + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = header(0x06054b50, 22);
  end.writeUInt16LE(Math.min(parts.length, 0xffff), 8);
  end.writeUInt16LE(Math.min(parts.length, 0xffff), 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** An archive of texts by their names. */
export function zipOf(parts: Readonly<Record<string, string>>): Buffer {
  return zip(Object.entries(parts).map(([name, content]) => ({ name, content })));
}
