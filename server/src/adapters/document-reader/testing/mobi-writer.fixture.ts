// Kindle books written record by record.

const recordBytes = 4096;

/** Numbers at their places in a buffer of zeros. */
function block(
  length: number,
  fields: Readonly<Record<number, number | string>>,
  two: readonly number[] = [],
): Buffer {
  const bytes = Buffer.alloc(length);
  for (const [at, value] of Object.entries(fields)) {
    if (typeof value === "string") bytes.write(value, Number(at), "latin1");
    else if (two.includes(Number(at))) bytes.writeUInt16BE(value, Number(at));
    else bytes.writeUInt32BE(value, Number(at));
  }
  return bytes;
}

export function palmDatabase(records: readonly Buffer[], type = "BOOKMOBI"): Buffer {
  const head = block(78 + records.length * 8 + 2, { 0: "book", 60: type, 76: records.length }, [76]);
  let offset = head.length;
  for (const [at, record] of records.entries()) {
    head.writeUInt32BE(offset, 78 + at * 8);
    offset += record.length;
  }
  return Buffer.concat([head, ...records]);
}

interface Way {
  number: number;
  pack: (text: Buffer) => Buffer;
  /** Records that a reader needs for it. */
  tables: readonly Buffer[];
}

/** Spaces before letters in one byte, and what stood shortly before by where it did. */
function packPalm(text: Buffer): Buffer {
  const out: number[] = [];
  for (let at = 0; at < text.length;) {
    const found = text.subarray(Math.max(0, at - 2000), at).lastIndexOf(text.subarray(at, at + 5));
    const byte = text[at] ?? 0;
    const next = text[at + 1] ?? 0;
    if (found !== -1 && at + 5 <= text.length) {
      const distance = at - (Math.max(0, at - 2000) + found);
      const pair = 0x8000 | (distance << 3) | 2;
      out.push(pair >> 8, pair & 255);
      at += 5;
    } else if (byte === 0x20 && next >= 0x40 && next < 0x80) {
      out.push(next ^ 0x80);
      at += 2;
    } else if (byte > 8 && byte < 0x80) {
      out.push(byte);
      at += 1;
    } else {
      const run = text.subarray(at, at + 1);
      out.push(run.length, ...run);
      at += 1;
    }
  }
  return Buffer.from(out);
}

/**
 * The tables of a dictionary. As such books have them, codes of 8 bits are those from 1 on, for the entries 0 to 254 from the
 * last code to the first; codes of 16 bits begin with a 0, for the entries that follow.
 */
export const dictionaryTables = (entries: readonly { bytes: Buffer; isPacked: boolean }[]): Buffer[] => {
  // Real ones have each table twice, the other time for machines that read numbers from their end.
  const codes = block(24 + 2 * (1024 + 256), { 0: "HUFF", 4: 24, 8: 24, 12: 24 + 1024 });
  for (let byte = 0; byte < 256; byte += 1)
    codes.writeUInt32BE(byte === 0 ? 9 : (255 << 8) | 0x80 | 8, 24 + byte * 4);
  const leastOf = (length: number): number => 24 + 1024 + (length - 1) * 8;
  for (let length = 9; length < 16; length += 1) codes.writeUInt32BE(2 ** (length - 8), leastOf(length));
  codes.writeUInt32BE(LAST_LONG, leastOf(16) + 4);
  const offsets: number[] = [];
  const bodies: Buffer[] = [];
  let offset = entries.length * 2;
  for (const { bytes, isPacked } of entries) {
    offsets.push(offset);
    bodies.push(block(2, { 0: bytes.length | (isPacked ? 0 : 0x8000) }, [0]), bytes);
    offset += 2 + bytes.length;
  }
  const head = block(16 + offsets.length * 2, { 0: "CDIC", 4: 16, 8: entries.length, 12: 10 });
  offsets.forEach((one, at) => head.writeUInt16BE(one, 16 + at * 2));
  return [codes, Buffer.concat([head, ...bodies])];
};

const LAST_LONG = 0xff + 0xff;

/** The code of an entry. */
export function codeOf(entry: number): Buffer {
  return Buffer.from(entry < 255 ? [255 - entry] : [0, LAST_LONG - entry]);
}

/** The word that an entry of its own stands for; itself packed. */
const word = Buffer.from("right");
const codesOf = (text: Buffer): Buffer => Buffer.concat([...text].map(codeOf));
export const entriesOfBytes = Array.from({ length: 256 }, (_, byte) => ({
  bytes: Buffer.from([byte]),
  isPacked: false,
}));

function packByDictionary(text: Buffer): Buffer {
  const out: Buffer[] = [];
  for (let at = 0; at < text.length;) {
    const isWord = text.subarray(at, at + word.length).equals(word);
    out.push(codeOf(isWord ? entriesOfBytes.length : (text[at] ?? 0)));
    at += isWord ? word.length : 1;
  }
  return Buffer.concat(out);
}

export const ways = {
  plain: { number: 1, pack: (text) => text, tables: [] },
  palm: { number: 2, pack: packPalm, tables: [] },
  dictionary: {
    number: 17_480,
    pack: packByDictionary,
    tables: dictionaryTables([...entriesOfBytes, { bytes: codesOf(word), isPacked: true }]),
  },
} as const satisfies Readonly<Record<string, Way>>;

interface BookOptions {
  way?: Way;
  encoding?: 1252 | 65_001;
  /** 6 for old readers, 8 for new ones. */
  version?: 6 | 8;
  /** What stands behind the markup of a new book. */
  styles?: string;
  isLocked?: boolean;
}

/** The records of one form of a book; numbers in it are counted from its first. */
export function formOf(markup: Buffer, options: BookOptions = {}, boundary?: number): Buffer[] {
  const { way = ways.palm, encoding = 65_001, version = 6, styles = "", isLocked = false } = options;
  const text = Buffer.concat([markup, Buffer.from(styles)]);
  const pieces = Array.from({ length: Math.ceil(text.length / recordBytes) }, (_, at) => {
    const piece = text.subarray(at * recordBytes, (at + 1) * recordBytes);
    // Behind it an entry of 3 bytes, which says so at its end, and 2 bytes of a character that goes on.
    return Buffer.concat([way.pack(piece), Buffer.from([0x61, 0x01]), Buffer.from([0x78, 0x78, 0x83])]);
  });
  const parts = block(12 + 16, {
    0: "FDST",
    4: 12,
    8: 2,
    12: 0,
    16: markup.length,
    20: markup.length,
    24: text.length,
  });
  const after = 1 + pieces.length;
  const head = block(
    16 + 0xe8,
    {
      0: way.number,
      4: text.length,
      8: pieces.length,
      10: recordBytes,
      12: isLocked ? 2 : 0,
      16: "MOBI",
      20: 0xe8,
      28: encoding,
      36: version,
      112: after,
      116: way.tables.length,
      128: boundary === undefined ? 0 : 0x40,
      192: version === 8 ? after + way.tables.length : 0xffff_ffff,
      196: styles === "" ? 1 : 2,
      240: 0b11,
    },
    [0, 8, 10, 12],
  );
  const remarks =
    boundary === undefined
      ? Buffer.alloc(0)
      : block(12 + 12 + 12, { 0: "EXTH", 4: 36, 8: 2, 12: 204, 16: 12, 24: 121, 28: 12, 32: boundary });
  return [Buffer.concat([head, remarks]), ...pieces, ...way.tables, parts];
}

export function mobi(markup: string, options: BookOptions = {}): Buffer {
  return palmDatabase(formOf(Buffer.from(markup, options.encoding === 1252 ? "latin1" : "utf8"), options));
}

/** A book for old readers with the one for new readers behind it. */
export function mobiOfBoth(old: string, markup: string): Buffer {
  const first = formOf(Buffer.from(old), {}, 0);
  const boundary = first.length + 1;
  const records = [...formOf(Buffer.from(old), {}, boundary), Buffer.from("BOUNDARY")];
  return palmDatabase([...records, ...formOf(Buffer.from(markup), { version: 8 })]);
}
