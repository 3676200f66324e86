// Entries of a zip that are made while another one is written, and stand behind it. What both are made of is read once.
import type { ObjectKey, ObjectStore } from "../../ports/object-store.ts";
import { packEntries, type ZipEntry } from "./pack-entries.ts";
import { PackSlots } from "./pack-slots.ts";
import { inPieces, newPair } from "./pieces.ts";
import type { PackedEntries } from "./write-zip.ts";
import type { WrittenEntry } from "./zip-records.ts";

/** Entries that wait to be packed. */
const WAITING = 4;

export class EntriesAside {
  readonly #store: Pick<ObjectStore, "read">;
  readonly #key: ObjectKey;
  readonly #list: WrittenEntry[] = [];
  readonly #waiting: WritableStreamDefaultWriter<ZipEntry>;
  readonly #stored: Promise<number>;
  #stopped = false;

  /** Packs into an object of this key, which its caller removes. */
  constructor(store: Pick<ObjectStore, "put" | "read">, key: ObjectKey) {
    this.#store = store;
    this.#key = key;
    const { readable, writable } = new TransformStream<ZipEntry, ZipEntry>({}, { highWaterMark: WAITING });
    this.#waiting = writable.getWriter();
    this.#stored = store.put(key, this.#packed(readable));
    // Told by the next call; and writing behind it rejects, too.
    this.#stored.catch(() => {});
    this.#waiting.closed.catch(() => {});
  }

  /** Resolves when there is room for another one. Rejects with what an earlier one, or the store, has thrown. */
  async add(entry: ZipEntry): Promise<void> {
    await this.#orBroken(this.#waiting.ready);
    this.#waiting.write(entry).catch(() => {});
  }

  /** All of them are packed. Rejects as `add` does. */
  async end(): Promise<PackedEntries> {
    await this.#orBroken(this.#waiting.close());
    await this.#stored;
    return { list: this.#list, bytes: this.#store.read(this.#key) };
  }

  /** Nothing is packed or stored any more when it resolves; never rejects. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#waiting.abort(new GivenUp()).catch(() => {});
    await this.#stored.catch(() => {});
  }

  async *#packed(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
    const slots = new PackSlots();
    try {
      for await (const piece of inPieces(packEntries(entries, this.#list, slots), newPair())) {
        // Also in the middle of a large one.
        if (this.#stopped) throw new GivenUp();
        yield piece;
      }
    } finally {
      slots.close();
    }
  }

  /** Says why the entries are not taken, which the stream between does not know. */
  async #orBroken(done: Promise<unknown>): Promise<void> {
    await done.catch(async (error: unknown) => {
      await this.#stored;
      throw error;
    });
  }
}

class GivenUp extends Error {
  constructor() {
    super("the zip was given up");
  }
}
