// Kindle books (mobi, azw3): the text of the newest form that a book has, without what it refers to. Neither its pictures nor
// its styles are looked at. There is no published description; this is what free readers of such books agree on.
import { orCorrupt } from "./corrupt.ts";
import { createMarkupReader } from "./html-text.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { PalmRecords } from "./palm-records.ts";
import { dictionaryUnpack, type Unpack, unpackPalm } from "./palm-text.ts";
import { ReadingError } from "./reading-error.ts";
import type { TextSink } from "./text-sink.ts";

const PACKED_AS = { nothing: 1, palm: 2, dictionary: 17_480 };
/** The only encodings of such books, by Windows' numbers. */
const ENCODINGS = new Map([
  [1252, "windows-1252"],
  [65_001, "utf-8"],
]);
const NEW_FORM = 121;
const NONE = 0xffff_ffff;

interface Form {
  /** The number of its first record. All other numbers in it are counted from there. */
  at: number;
  head: Buffer;
}

export async function readMobi(input: InputFile, sink: TextSink): Promise<void> {
  await orCorrupt(() => {
    const records = new PalmRecords(input);
    const form = newestForm(records);
    const { head } = form;
    if (head.readUInt16BE(12) !== 0) throw new ReadingError(40_004, "only a licence opens it");
    const encoding = ENCODINGS.get(wordOf(head, 28));
    if (encoding === undefined) throw new ReadingError(40_006, "an unknown encoding");
    const decoder = new TextDecoder(encoding);
    const markup = createMarkupReader((text) => sink.write(text));
    for (const piece of textOf(records, form)) markup.write(decoder.decode(piece, { stream: true }));
    markup.write(decoder.decode());
    markup.end();
  });
}

/** A book for old readers may hold the one for new readers behind it. */
function newestForm(records: PalmRecords): Form {
  const old: Form = { at: 0, head: records.read(0) };
  if (old.head.toString("latin1", 16, 20) !== "MOBI") throw new ReadingError(40_003, "no book in it");
  const boundary = remarkOf(old.head, NEW_FORM);
  if (boundary === null || boundary === NONE) return old;
  const head = records.read(boundary);
  return head.toString("latin1", 16, 20) === "MOBI" ? { at: boundary, head } : old;
}

/** The number that a remark of this kind holds; null without one. */
function remarkOf(head: Buffer, kind: number): number | null {
  const hasRemarks = (wordOf(head, 128) & 0x40) !== 0;
  if (!hasRemarks) return null;
  const start = 16 + wordOf(head, 20);
  if (head.toString("latin1", start, start + 4) !== "EXTH") return null;
  let at = start + 12;
  for (let left = wordOf(head, start + 8); left > 0 && at + 12 <= head.length; left -= 1) {
    const length = head.readUInt32BE(at + 4);
    if (head.readUInt32BE(at) === kind && length === 12) return head.readUInt32BE(at + 8);
    if (length < 8) break;
    at += length;
  }
  return null;
}

/** The bytes of its markup: behind them lie styles and drawings, where it has several parts. */
function* textOf(records: PalmRecords, { at, head }: Form): Generator<Buffer> {
  const unpack = unpackOf(records, { at, head });
  const behind = behindOf(head);
  let left = Math.min(wordOf(head, 4), markupEnd(records, { at, head }));
  for (let number = 1; number <= head.readUInt16BE(8) && left > 0; number += 1) {
    const piece = unpack(withoutBehind(records.read(at + number), behind)).subarray(0, left);
    left -= piece.length;
    yield piece;
  }
}

function unpackOf(records: PalmRecords, { at, head }: Form): Unpack {
  const packedAs = head.readUInt16BE(0);
  if (packedAs === PACKED_AS.nothing) return (record) => record;
  if (packedAs === PACKED_AS.palm) return unpackPalm;
  if (packedAs !== PACKED_AS.dictionary) throw new ReadingError(40_003, "packed in an unknown way");
  return dictionaryUnpack(records, at + wordOf(head, 112), wordOf(head, 116));
}

/** Where the first of its parts ends; infinite where it has but one. */
function markupEnd(records: PalmRecords, { at, head }: Form): number {
  const isNew = wordOf(head, 36) >= 8;
  const table = wordOf(head, 192);
  if (!isNew || table === NONE || wordOf(head, 196) < 2) return Number.POSITIVE_INFINITY;
  const parts = records.read(at + table);
  return parts.toString("latin1", 0, 4) === "FDST" ? parts.readUInt32BE(16) : Number.POSITIVE_INFINITY;
}

interface Behind {
  /** Entries of a length that stands at their end. */
  entries: number;
  /** Bytes of a character that goes on in the next record. */
  overlap: boolean;
}

/** What stands behind the text in each of its records. */
function behindOf(head: Buffer): Behind {
  // Younger than the other fields.
  const flags = wordOf(head, 20) >= 0xe4 ? wordOf(head, 240) : 0;
  let entries = 0;
  for (let bits = flags >>> 1; bits !== 0; bits >>>= 1) entries += bits & 1;
  return { entries, overlap: (flags & 1) === 1 };
}

function withoutBehind(record: Buffer, { entries, overlap }: Behind): Buffer {
  let end = record.length;
  for (let entry = 0; entry < entries; entry += 1) {
    let length = 0;
    for (const byte of record.subarray(Math.max(0, end - 4), end)) {
      if ((byte & 0x80) !== 0) length = 0;
      length = (length << 7) | (byte & 0x7f);
    }
    end = Math.max(0, end - length);
  }
  if (overlap) end = Math.max(0, end - ((record[end - 1] ?? 0) & 3) - 1);
  return record.subarray(0, end);
}

/** Fields that an old head does not have are 0. */
function wordOf(head: Buffer, at: number): number {
  return at + 4 <= head.length ? head.readUInt32BE(at) : 0;
}
