// The records of a zip, as APPNOTE.TXT 6.3 of PKWARE has them (4.3.7, 4.3.9, 4.3.12, 4.3.14 to 4.3.16, 4.5.3). Sizes come
// after the data, names are UTF-8, and what is over 4 GiB or 65,535 entries is written as Zip64.

export interface WrittenEntry {
  name: string;
  /** Unix ms. */
  changedAt: number;
  /** Where its local header begins. */
  offset: number;
  crc: number;
  /** Bytes before and after packing. */
  size: number;
  packed: number;
}

const U16 = 0xffff;
const U32 = 0xffffffff;
/** Sizes follow the data · the name is UTF-8. */
const FLAGS = 0x0008 | 0x0800;
const DEFLATED = 8;
const VERSION = 20;
const VERSION_ZIP64 = 45;
const MADE_ON_UNIX = 3 << 8;
/** A plain file that its owner may write and everybody read. */
const MODE = (0o100644 << 16) >>> 0;

export function localHeader({ name, changedAt }: WrittenEntry): Buffer {
  const record = Buffer.alloc(30 + Buffer.byteLength(name));
  record.writeUInt32LE(0x04034b50, 0);
  record.writeUInt16LE(VERSION, 4);
  record.writeUInt16LE(FLAGS, 6);
  record.writeUInt16LE(DEFLATED, 8);
  record.writeUInt32LE(dosTime(changedAt), 10);
  record.writeUInt16LE(record.write(name, 30), 26);
  return record;
}

/** What is known of an entry when its data have been written. */
export function dataDescriptor({ crc, size, packed }: WrittenEntry): Buffer {
  const large = size > U32 || packed > U32;
  const record = Buffer.alloc(large ? 24 : 16);
  record.writeUInt32LE(0x08074b50, 0);
  record.writeUInt32LE(crc, 4);
  if (large) {
    record.writeBigUInt64LE(BigInt(packed), 8);
    record.writeBigUInt64LE(BigInt(size), 16);
  } else {
    record.writeUInt32LE(packed, 8);
    record.writeUInt32LE(size, 12);
  }
  return record;
}

export function centralEntry({ name, changedAt, offset, crc, size, packed }: WrittenEntry): Buffer {
  const path = Buffer.from(name, "utf8");
  const extra = zip64Extra([size, packed, offset].filter((value) => value >= U32));
  const version = extra.length === 0 ? VERSION : VERSION_ZIP64;
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(MADE_ON_UNIX | version, 4);
  record.writeUInt16LE(version, 6);
  record.writeUInt16LE(FLAGS, 8);
  record.writeUInt16LE(DEFLATED, 10);
  record.writeUInt32LE(dosTime(changedAt), 12);
  record.writeUInt32LE(crc, 16);
  record.writeUInt32LE(Math.min(packed, U32), 20);
  record.writeUInt32LE(Math.min(size, U32), 24);
  record.writeUInt16LE(path.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE(MODE, 38);
  record.writeUInt32LE(Math.min(offset, U32), 42);
  return Buffer.concat([record, path, extra]);
}

/** The values that do not fit, in the order of 4.5.3. */
function zip64Extra(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const extra = Buffer.alloc(4 + 8 * values.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * values.length, 2);
  for (const [index, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  return extra;
}

/** The end: how many entries the list has, where it begins and how many bytes it takes. */
export function endOfZip(list: { entries: number; offset: number; bytes: number }): Buffer {
  const { entries, offset, bytes } = list;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entries, U16), 8);
  end.writeUInt16LE(Math.min(entries, U16), 10);
  end.writeUInt32LE(Math.min(bytes, U32), 12);
  end.writeUInt32LE(Math.min(offset, U32), 16);
  const small = entries < U16 && offset < U32 && bytes < U32;
  return small ? end : Buffer.concat([zip64End(list), end]);
}

function zip64End({ entries, offset, bytes }: { entries: number; offset: number; bytes: number }): Buffer {
  const record = Buffer.alloc(56 + 20);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(MADE_ON_UNIX | VERSION_ZIP64, 12);
  record.writeUInt16LE(VERSION_ZIP64, 14);
  record.writeBigUInt64LE(BigInt(entries), 24);
  record.writeBigUInt64LE(BigInt(entries), 32);
  record.writeBigUInt64LE(BigInt(bytes), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  // Where the record above begins.
  record.writeUInt32LE(0x07064b50, 56);
  record.writeBigUInt64LE(BigInt(offset + bytes), 64);
  record.writeUInt32LE(1, 72);
  return record;
}

/** The time in the low half and the date in the high one; UTC, from 1980 to 2107. */
function dosTime(ms: number): number {
  const at = new Date(Math.min(Math.max(ms, Date.UTC(1980, 0, 1)), Date.UTC(2107, 11, 31)));
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  return date * 0x10000 + time;
}
