// A zip that is written while its entries are read: nothing of it is whole in memory but the list of what is in it.
import { packEntries, type ZipEntry } from "./pack-entries.ts";
import { PackSlots } from "./pack-slots.ts";
import { inPieces, newPair } from "./pieces.ts";
import { centralEntry, endOfZip, type WrittenEntry } from "./zip-records.ts";

/** Entries that were packed beside the zip (pack-aside.ts): their bytes, and what they are. */
export interface PackedEntries {
  list: readonly WrittenEntry[];
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * The bytes of a zip with these entries, deflated. The next entry, and the next piece of one, is asked for when the bytes
 * before it have been taken; its memory is used again then. Throws what a content throws: then there is no zip.
 */
export async function* writeZip(
  entries: AsyncIterable<ZipEntry | PackedEntries>,
): AsyncGenerator<Uint8Array> {
  const slots = new PackSlots();
  try {
    // Records and small entries are written together.
    yield* inPieces(zipPieces(entries, slots), newPair());
  } finally {
    slots.close();
  }
}

async function* zipPieces(
  entries: AsyncIterable<ZipEntry | PackedEntries>,
  slots: PackSlots,
): AsyncGenerator<Uint8Array> {
  const all: { list: readonly WrittenEntry[]; from: number }[] = [];
  let offset = 0;
  for await (const entry of entries) {
    const { list, bytes } = "list" in entry ? entry : packed(entry, slots);
    const from = offset;
    for await (const piece of bytes) {
      offset += piece.length;
      yield piece;
    }
    all.push({ list, from });
  }
  const records = { entries: 0, offset, bytes: 0 };
  // Each is made when it is written: of many entries it takes a while.
  for (const { list, from } of all) {
    for (const written of list) {
      const record = centralEntry({ ...written, offset: from + written.offset });
      records.entries += 1;
      records.bytes += record.length;
      yield record;
    }
  }
  yield endOfZip(records);
}

function packed(entry: ZipEntry, slots: PackSlots): PackedEntries {
  const list: WrittenEntry[] = [];
  return { list, bytes: packEntries([entry], list, slots) };
}
