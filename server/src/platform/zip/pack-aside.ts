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
  readonly #waiting: ZipEntry[] = [];
  readonly #stored: Promise<number>;
  #state: "open" | "ended" | "stopped" | "broken" = "open";
  /** Whoever waits for an entry, or for room for one, looks again. */
  #wake = (): void => {};

  /** Packs into an object of this key, which its caller removes. */
  constructor(store: Pick<ObjectStore, "put" | "read">, key: ObjectKey) {
    this.#store = store;
    this.#key = key;
    this.#stored = store.put(key, this.#packed());
    // Told by the next call.
    this.#stored.catch(() => this.#become("broken"));
  }

  /** Resolves when there is room for another one. Rejects with what an earlier one, or the store, has thrown. */
  async add(entry: ZipEntry): Promise<void> {
    while (this.#state === "open" && this.#waiting.length >= WAITING) await this.#changed();
    if (this.#state !== "open") {
      await this.#stored;
      throw new GivenUp();
    }
    this.#waiting.push(entry);
    this.#wake();
  }

  /** All of them are packed. Rejects as `add` does. */
  async end(): Promise<PackedEntries> {
    if (this.#state === "open") this.#become("ended");
    await this.#stored;
    return { list: this.#list, bytes: this.#store.read(this.#key) };
  }

  /** Nothing is packed or stored any more when it resolves; never rejects. */
  async stop(): Promise<void> {
    this.#become("stopped");
    await this.#stored.catch(() => {});
  }

  async *#packed(): AsyncGenerator<Uint8Array> {
    const slots = new PackSlots();
    try {
      for await (const piece of inPieces(packEntries(this.#taken(), this.#list, slots), newPair())) {
        // Also in the middle of a large one.
        if (this.#state === "stopped") throw new GivenUp();
        yield piece;
      }
    } finally {
      slots.close();
    }
  }

  async *#taken(): AsyncGenerator<ZipEntry> {
    for (;;) {
      if (this.#state === "stopped") throw new GivenUp();
      const entry = this.#waiting.shift();
      if (entry !== undefined) {
        this.#wake();
        yield entry;
      } else if (this.#state === "open") await this.#changed();
      else return;
    }
  }

  /** Only one of both sides can be waiting: that there is an entry and that there is no room are not true at once. */
  #changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #become(state: "ended" | "stopped" | "broken"): void {
    this.#state = state;
    this.#wake();
  }
}

class GivenUp extends Error {
  constructor() {
    super("the zip was given up");
  }
}
