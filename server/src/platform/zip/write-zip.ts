// A zip that is written while its entries are read: nothing of it is whole in memory but the list of what is in it.
import { pipeline, Readable } from "node:stream";
import { crc32, createDeflateRaw, deflateRawSync } from "node:zlib";
import { centralEntry, dataDescriptor, endOfZip, localHeader, type WrittenEntry } from "./zip-records.ts";

export interface ZipEntry {
  /** A path with slashes, as the reader will have it: checked by whoever makes it. */
  name: string;
  /** Unix ms, to two seconds, UTC. */
  changedAt: number;
  content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
}

/** Bytes that are compressed at a time: small pieces of a content are joined. */
const PIECE_BYTES = 64 * 1024;

/**
 * The bytes of a zip with these entries, deflated. The next entry, and the next piece of one, is asked for when the bytes
 * before it have been taken. Throws what a content throws: then there is no zip.
 */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  // Records and small entries are written together.
  yield* joined(zipPieces(entries));
}

async function* zipPieces(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const list: Buffer[] = [];
  let offset = 0;
  for await (const entry of entries) {
    const written: WrittenEntry = {
      name: entry.name,
      changedAt: entry.changedAt,
      offset,
      crc: 0,
      size: 0,
      packed: 0,
    };
    const header = localHeader(written);
    yield header;
    offset += header.length;
    for await (const piece of deflated(entry.content, written)) {
      written.packed += piece.length;
      yield piece;
    }
    const descriptor = dataDescriptor(written);
    yield descriptor;
    offset += written.packed + descriptor.length;
    list.push(centralEntry(written));
  }
  let listBytes = 0;
  for (const record of list) {
    listBytes += record.length;
    yield record;
  }
  yield endOfZip({ entries: list.length, offset, bytes: listBytes });
}

async function* deflated(content: ZipEntry["content"], written: WrittenEntry): AsyncGenerator<Buffer> {
  const pieces = joined(content);
  try {
    const [first, second] = [await pieces.next(), await pieces.next()];
    const start = [first, second].flatMap(({ value }) => value ?? []);
    const bytes = start.reduce((sum, piece) => sum + piece.length, 0);
    if (second.done === true && bytes <= PIECE_BYTES) yield packedWhole(start[0] ?? Buffer.alloc(0), written);
    else yield* packedInPieces(startingWith(start, pieces), written);
  } finally {
    await pieces.return(undefined);
  }
}

/** A stream, or a thread, costs more than most entries: what fits into one piece is packed in a millisecond or two. */
function packedWhole(piece: Buffer, written: WrittenEntry): Buffer {
  count(piece, written);
  return deflateRawSync(piece);
}

async function* packedInPieces(pieces: AsyncIterable<Buffer>, written: WrittenEntry): AsyncGenerator<Buffer> {
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      count(piece, written);
      yield piece;
    }
  }
  const packing = createDeflateRaw({ chunkSize: PIECE_BYTES });
  // What the content throws destroys the packing with it, and reading that rejects.
  pipeline(Readable.from(counted(), { objectMode: false, highWaterMark: PIECE_BYTES }), packing, () => {});
  yield* packing as AsyncIterable<Buffer>;
}

function count(piece: Buffer, written: WrittenEntry): void {
  written.crc = crc32(piece, written.crc);
  written.size += piece.length;
}

async function* startingWith(first: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* first;
  yield* rest;
}

/** Pieces of some 64 KiB. A piece that is given may be used again by its giver. */
async function* joined(content: ZipEntry["content"]): AsyncGenerator<Buffer, void> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const piece of content) {
    const part = typeof piece === "string" ? Buffer.from(piece, "utf8") : Buffer.from(piece);
    parts.push(part);
    bytes += part.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(parts);
    parts = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(parts);
}
