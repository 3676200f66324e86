// How records of text in Kindle books are packed: not at all, as in Palm's own books, or by a dictionary of the book.
import type { PalmRecords } from "./palm-records.ts";
import { ReadingError } from "./reading-error.ts";

export type Unpack = (record: Buffer) => Buffer;

/** One unpacks to 4 KB; a dictionary whose words stand for each other could say more than there is memory for. */
const mostBytes = 256 * 1024;
const deepest = 32;
const mostEntries = 200_000;
/** Codes of one record, those in entries that are packed themselves included. */
const mostCodes = 1_000_000;

const corrupt = (why: string): ReadingError => new ReadingError(40_003, why);

/** Palm's own: bytes, runs of bytes, what stood up to 2 KB before, and a space with a letter in one byte. */
export function unpackPalm(record: Buffer): Buffer {
  const out: number[] = [];
  for (let at = 0; at < record.length;) {
    const byte = record[at++] ?? 0;
    if (byte === 0 || (byte > 8 && byte < 0x80)) out.push(byte);
    else if (byte <= 8) {
      out.push(...record.subarray(at, at + byte));
      at += byte;
    } else if (byte < 0xc0) {
      const pair = (byte << 8) | (record[at++] ?? 0);
      const distance = (pair & 0x3fff) >> 3;
      if (distance === 0 || distance > out.length) throw corrupt("it repeats what is not there");
      for (let left = (pair & 7) + 3; left > 0; left -= 1) out.push(out[out.length - distance] ?? 0);
    } else out.push(0x20, byte ^ 0x80);
    if (out.length > mostBytes) throw new ReadingError(40_007, "it unpacks to too much");
  }
  return Buffer.from(out);
}

interface Entry {
  bytes: Buffer;
  /** Its bytes are packed themselves. */
  isPacked: boolean;
}

/** Codes of up to 32 bits, each for an entry of a dictionary that lies in the records from `first` on. */
export function dictionaryUnpack(records: PalmRecords, first: number, count: number): Unpack {
  const codes = records.read(first);
  if (codes.toString("latin1", 0, 4) !== "HUFF") throw corrupt("no table of codes");
  // By the first byte of a code: its length and what its number is counted from, or only where to look on.
  const byByte = wordsAt(codes, codes.readUInt32BE(8), 256);
  // By its length: the least code of it, and what its number is counted from.
  const byLength = wordsAt(codes, codes.readUInt32BE(12), 64);
  const entries = readEntries(records, first, count);

  interface Unpacked {
    pieces: Buffer[];
    bytes: number;
    codes: number;
  }

  const leastCode = (length: number): number => byLength[(length - 1) * 2] ?? 0;

  function unpack(packed: Buffer, out: Unpacked, depth: number): void {
    if (depth > deepest) throw new ReadingError(40_007, "a dictionary that explains itself");
    const bits = packed.length * 8;
    for (let at = 0; at < bits;) {
      out.codes += 1;
      if (out.codes > mostCodes || out.bytes > mostBytes)
        throw new ReadingError(40_007, "it unpacks to too much");
      const window = bitsAt(packed, at);
      const word = byByte[window >>> 24] ?? 0;
      let length = word & 0x1f;
      let last = word >>> 8;
      if ((word & 0x80) === 0) {
        while (length <= 32 && window >>> (32 - length) < leastCode(length)) length += 1;
        last = byLength[(length - 1) * 2 + 1] ?? 0;
      }
      if (length === 0 || length > 32) throw corrupt("no such code");
      at += length;
      // What is left of the last byte is no code.
      if (at > bits) break;
      const entry = entries[last - (window >>> (32 - length))];
      if (entry === undefined) throw corrupt("no such entry");
      if (entry.isPacked) unpack(entry.bytes, out, depth + 1);
      else {
        out.pieces.push(entry.bytes);
        out.bytes += entry.bytes.length;
      }
    }
  }

  return (record) => {
    const out: Unpacked = { pieces: [], bytes: 0, codes: 0 };
    unpack(record, out, 0);
    return Buffer.concat(out.pieces);
  };
}

function readEntries(records: PalmRecords, first: number, count: number): Entry[] {
  const entries: Entry[] = [];
  for (let number = first + 1; number < first + count; number += 1) {
    const record = records.read(number);
    if (record.toString("latin1", 0, 4) !== "CDIC") throw corrupt("no dictionary");
    const start = record.readUInt32BE(4);
    const here = Math.min(2 ** record.readUInt32BE(12), record.readUInt32BE(8) - entries.length);
    if (entries.length + here > mostEntries) throw new ReadingError(40_007, "too large a dictionary");
    for (let at = 0; at < here; at += 1) {
      const offset = start + record.readUInt16BE(start + at * 2);
      const length = record.readUInt16BE(offset);
      const bytes = record.subarray(offset + 2, offset + 2 + (length & 0x7fff));
      entries.push({ bytes, isPacked: (length & 0x8000) === 0 });
    }
  }
  return entries;
}

function wordsAt(record: Buffer, start: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => record.readUInt32BE(start + at * 4));
}

/** 32 bits from a bit on, with zeros behind the end. */
function bitsAt(bytes: Buffer, from: number): number {
  const byte = from >> 3;
  const shift = from & 7;
  const at = (offset: number): number => bytes[byte + offset] ?? 0;
  const high = ((at(0) << 24) | (at(1) << 16) | (at(2) << 8) | at(3)) >>> 0;
  return shift === 0 ? high : ((high << shift) | (at(4) >> (8 - shift))) >>> 0;
}
