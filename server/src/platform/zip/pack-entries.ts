// The entries of a zip as they stand in it: the record before each, its bytes, deflated, and the record behind them.
import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { crc32, createDeflateRaw, deflateRaw } from "node:zlib";
import { type Content, joined, PIECE_BYTES } from "./pieces.ts";
import { dataDescriptor, localHeader, type WrittenEntry } from "./zip-records.ts";

export interface ZipEntry {
  /** A path with slashes, as the reader will have it: checked by whoever makes it. */
  name: string;
  /** Unix ms, to two seconds, UTC. */
  changedAt: number;
  content: Content;
}

/** Entries whose packing is under way, each in a thread of the system's, while the first of them is written. */
const AT_ONCE = 4;
const deflateWhole = promisify(deflateRaw);

interface Begun {
  entry: WrittenEntry;
  /** What is left of its content. */
  pieces: AsyncGenerator<Buffer, void>;
  packed: AsyncGenerator<Buffer>;
}

/**
 * The bytes of the entries, one behind the other. `list` gets each of them when its bytes have been given, its place counted
 * from the first byte of all. Some entries are asked for, and begun, before those in front of them are written.
 */
export async function* packEntries(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  list: WrittenEntry[],
): AsyncGenerator<Uint8Array> {
  const underWay: Promise<Begun>[] = [];
  let offset = 0;
  async function* first(): AsyncGenerator<Uint8Array> {
    const begun = await underWay.shift();
    if (begun === undefined) return;
    const { entry, packed } = begun;
    entry.offset = offset;
    const header = localHeader(entry);
    yield header;
    for await (const piece of packed) {
      entry.packed += piece.length;
      yield piece;
    }
    const descriptor = dataDescriptor(entry);
    yield descriptor;
    offset += header.length + entry.packed + descriptor.length;
    list.push(entry);
  }
  try {
    for await (const entry of entries) {
      const beginning = begin(entry);
      // What it throws is heard in its turn.
      beginning.catch(() => {});
      underWay.push(beginning);
      if (underWay.length === AT_ONCE) yield* first();
    }
    while (underWay.length > 0) yield* first();
  } finally {
    for (const beginning of underWay) {
      const begun = await beginning.catch(() => null);
      await begun?.pieces.return();
    }
  }
}

/** Reads the beginning of an entry. What fits into one piece is packed then, which costs less than a stream. */
async function begin({ name, changedAt, content }: ZipEntry): Promise<Begun> {
  const entry: WrittenEntry = { name, changedAt, offset: 0, crc: 0, size: 0, packed: 0 };
  const pieces = joined(content);
  const start: Buffer[] = [];
  while (start.length < 2) {
    const { value, done } = await pieces.next();
    if (done === true) {
      const whole = await packWhole(start[0] ?? Buffer.alloc(0), entry);
      return { entry, pieces, packed: ready(whole) };
    }
    start.push(value);
  }
  return { entry, pieces, packed: packInPieces(startingWith(start, pieces), entry) };
}

async function* ready(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

function packWhole(piece: Buffer, entry: WrittenEntry): Promise<Buffer> {
  count(piece, entry);
  // The usual size of what is made of a large text would be most of the memory that a small one takes.
  return deflateWhole(piece, { chunkSize: Math.min(Math.max(piece.length, 64), PIECE_BYTES) });
}

async function* packInPieces(pieces: AsyncIterable<Buffer>, entry: WrittenEntry): AsyncGenerator<Buffer> {
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      count(piece, entry);
      yield piece;
    }
  }
  const packing = createDeflateRaw({ chunkSize: PIECE_BYTES });
  // What the content throws destroys the packing with it, and reading that rejects.
  pipeline(Readable.from(counted(), { objectMode: false, highWaterMark: PIECE_BYTES }), packing, () => {});
  yield* packing as AsyncIterable<Buffer>;
}

function count(piece: Buffer, entry: WrittenEntry): void {
  entry.crc = crc32(piece, entry.crc);
  entry.size += piece.length;
}

async function* startingWith(first: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* first;
  yield* rest;
}
