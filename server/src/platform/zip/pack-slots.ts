// What an entry is packed with, used again for later ones: to make a compressor takes longer than to pack a small entry.
import { constants, createDeflateRaw, type DeflateRaw } from "node:zlib";
import { LEVEL, newPair, type Pair } from "./pieces.ts";

/** What is packed comes in buffers of this size, some small entries in one. */
const CHUNK_BYTES = 16 * 1024;

export interface PackSlot {
  /** What a content is read into. */
  memory: Pair;
  /** Deflates a whole content. One at a time; what comes is not written to again. */
  packWhole(content: Buffer): Promise<Buffer>;
}

export class PackSlots {
  readonly #free: PackSlot[] = [];
  readonly #compressors: DeflateRaw[] = [];

  take(): PackSlot {
    return this.#free.pop() ?? { memory: newPair(), packWhole: this.#newPacker() };
  }

  giveBack(slot: PackSlot): void {
    this.#free.push(slot);
  }

  /** None of them is used any more. */
  close(): void {
    for (const compressor of this.#compressors) compressor.destroy();
  }

  #newPacker(): PackSlot["packWhole"] {
    let compressor: DeflateRaw | null = null;
    let packed: Buffer[] = [];
    const make = (): DeflateRaw => {
      // Each write ends what it writes.
      const made = createDeflateRaw({ flush: constants.Z_FINISH, chunkSize: CHUNK_BYTES, level: LEVEL });
      made.on("data", (piece: Buffer) => packed.push(piece));
      // The write that failed says so.
      made.on("error", () => {});
      this.#compressors.push(made);
      return made;
    };
    return (content) => {
      const deflate = (compressor ??= make());
      packed = [];
      deflate.reset();
      return new Promise((resolve, reject) => {
        deflate.write(content, (error) => (error ? reject(error) : resolve(Buffer.concat(packed))));
      });
    };
  }
}
