// The entries of a zip as they stand in it: the record before each, its bytes, deflated, and the record behind them.
import { crc32, createDeflateRaw, type DeflateRaw } from "node:zlib";
import type { PackSlot, PackSlots } from "./pack-slots.ts";
import { type Content, inPieces, LEVEL, PIECE_BYTES } from "./pieces.ts";
import { dataDescriptor, localHeader, type WrittenEntry } from "./zip-records.ts";

export interface ZipEntry {
  /** A path with slashes, as the reader will have it: checked by whoever makes it. */
  name: string;
  /** Unix ms, to two seconds, UTC. */
  changedAt: number;
  content: Content;
}

/** Entries whose packing is under way, each in a thread of the system's, while the first of them is written. */
const AT_ONCE = 2;

interface Begun {
  entry: WrittenEntry;
  slot: PackSlot;
  /** All of it; of a larger one the pieces as they are packed, and what is left of its content. */
  packed: Buffer | { pieces: AsyncGenerator<Buffer>; content: AsyncGenerator<Buffer, void> };
}

/**
 * The bytes of the entries, one behind the other. `list` gets each of them when its bytes have been given, its place counted
 * from the first byte of all. Some entries are asked for, and begun, before those in front of them are written.
 * `slots` are the caller's, who closes them.
 */
export async function* packEntries(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  list: WrittenEntry[],
  slots: PackSlots,
): AsyncGenerator<Uint8Array> {
  const underWay: Promise<Begun>[] = [];
  let offset = 0;
  async function* first(): AsyncGenerator<Uint8Array> {
    const begun = await underWay.shift();
    if (begun === undefined) return;
    const { entry, packed, slot } = begun;
    entry.offset = offset;
    const header = localHeader(entry);
    if (!("pieces" in packed)) {
      entry.packed = packed.length;
      const whole = Buffer.concat([header, packed, dataDescriptor(entry)]);
      offset += whole.length;
      yield whole;
    } else {
      yield header;
      for await (const piece of packed.pieces) {
        entry.packed += piece.length;
        yield piece;
      }
      const descriptor = dataDescriptor(entry);
      offset += header.length + entry.packed + descriptor.length;
      yield descriptor;
    }
    list.push(entry);
    slots.giveBack(slot);
  }
  try {
    for await (const entry of entries) {
      const beginning = begin(entry, slots.take());
      // What it throws is heard in its turn.
      beginning.catch(() => {});
      underWay.push(beginning);
      if (underWay.length === AT_ONCE) yield* first();
    }
    while (underWay.length > 0) yield* first();
  } finally {
    for (const beginning of underWay) {
      const begun = await beginning.catch(() => null);
      if (begun !== null && "content" in begun.packed) await begun.packed.content.return();
    }
  }
}

/** Reads the beginning of an entry. What fits into one piece is packed then, which costs less than a stream. */
async function begin({ name, changedAt, content }: ZipEntry, slot: PackSlot): Promise<Begun> {
  const entry: WrittenEntry = { name, changedAt, offset: 0, crc: 0, size: 0, packed: 0 };
  const pieces = inPieces(content, slot.memory);
  const start: Buffer[] = [];
  while (start.length < 2) {
    const { value, done } = await pieces.next();
    if (done === true) {
      const whole = start[0] ?? Buffer.alloc(0);
      count(whole, entry);
      return { entry, slot, packed: await slot.packWhole(whole) };
    }
    start.push(value);
  }
  const packed = packInPieces(startingWith(start, pieces), entry);
  return { entry, slot, packed: { pieces: packed, content: pieces } };
}

async function* packInPieces(pieces: AsyncIterable<Buffer>, entry: WrittenEntry): AsyncGenerator<Buffer> {
  const packing = createDeflateRaw({ chunkSize: PIECE_BYTES, level: LEVEL });
  const feeding = feed(packing, pieces, entry).catch((error: unknown) => {
    // Whoever reads what is packed hears of it.
    packing.destroy(error as Error);
  });
  try {
    yield* packing as AsyncIterable<Buffer>;
  } finally {
    packing.destroy();
    await feeding;
  }
}

/** One piece is packed while the next is made: then its memory is free. Ends early where nobody reads what is packed. */
async function feed(packing: DeflateRaw, pieces: AsyncIterable<Buffer>, entry: WrittenEntry): Promise<void> {
  let before: Promise<void> = Promise.resolve();
  let release = (): void => {};
  // A write that waits for its reader is told nothing when that one goes.
  packing.once("close", () => release());
  for await (const piece of pieces) {
    await before;
    if (packing.destroyed) return;
    count(piece, entry);
    before = new Promise((resolve, reject) => {
      release = resolve;
      packing.write(piece, (error) => (error ? reject(error) : resolve()));
    });
    before.catch(() => {});
  }
  await before;
  packing.end();
}

function count(piece: Buffer, entry: WrittenEntry): void {
  entry.crc = crc32(piece, entry.crc);
  entry.size += piece.length;
}

async function* startingWith(first: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* first;
  yield* rest;
}
