// Contents in pieces of one size, in memory that is used again: what many small pieces leave behind would lie there until
// the collector comes, and that is not soon.

export type Content = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/** Bytes that are compressed or stored at a time. */
export const PIECE_BYTES = 64 * 1024;
/** How hard deflate tries, of 9. Usual is 6 (why not here: decision 0045). */
export const LEVEL = 3;
/** The longest character of UTF-8. */
const CHARACTER_BYTES = 4;
/** The longest that UTF-8 makes of one UTF-16 unit of a string. */
const UNIT_BYTES = 3;

/** Two pieces of memory. */
export type Pair = readonly [Buffer, Buffer];

export function newPair(): Pair {
  return [Buffer.allocUnsafeSlow(PIECE_BYTES), Buffer.allocUnsafeSlow(PIECE_BYTES)];
}

const encoder = new TextEncoder();

/**
 * The content in pieces of some 64 KiB, by turns in the one and the other memory: a piece is good until the one after the
 * next is asked for. A piece that is given may be used again by its giver.
 */
export async function* inPieces(content: Content, pair: Pair): AsyncGenerator<Buffer, void> {
  let [filling, other] = pair;
  let bytes = 0;
  for await (const given of content) {
    for (let rest = given; rest.length > 0;) {
      if (bytes > PIECE_BYTES - CHARACTER_BYTES) {
        yield filling.subarray(0, bytes);
        [filling, other] = [other, filling];
        bytes = 0;
      }
      const room = filling.subarray(bytes);
      if (typeof rest === "string") {
        // What certainly fits: of 13 KB with a few letters beyond ASCII in 2 µs, in place of 10.
        if (rest.length * UNIT_BYTES <= room.length) {
          bytes += room.write(rest);
          break;
        }
        const { read, written } = encoder.encodeInto(rest, room);
        bytes += written;
        rest = rest.slice(read);
      } else {
        const part = rest.subarray(0, room.length);
        room.set(part);
        bytes += part.length;
        rest = rest.subarray(part.length);
      }
    }
  }
  if (bytes > 0) yield filling.subarray(0, bytes);
}
