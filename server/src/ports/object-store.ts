// Where the bytes of files lie. Adapters: a folder of DATA_DIR.

/** Names an object: made by us and never of what a user wrote. Lower-case letters, digits, `-` and one `.`, 3 to 80 characters. */
export type ObjectKey = string;

export interface StoredObject {
  key: ObjectKey;
  bytes: number;
  /** Unix ms. */
  storedAt: number;
}

/** There is no object of this key, or no such range of it. */
export class NoSuchObject extends Error {}

/**
 * Promises:
 *
 * - **Whole or not at all.** An object is seen under its key when all of its bytes are durable, and not before. When `source`
 *   throws, or the process dies, there is none, and what was there under the key before is untouched.
 * - **Durable.** What `put` has resolved for survives the end of the process and of the machine.
 * - **Flat in memory.** Bytes pass through; no object is ever whole in memory, in either direction.
 * - **Only bytes.** Nothing stored can be run by the system, and keys never come from users.
 * - Every other error than NoSuchObject is the store's own: a full disk, a network.
 */
export interface ObjectStore {
  /**
   * Stores all of `source`, in place of what was there; resolves with the number of bytes. Rejects with what `source` throws.
   * A piece is taken before the next is asked for: its memory may be used again.
   */
  put(key: ObjectKey, source: AsyncIterable<Uint8Array>): Promise<number>;
  /** The bytes from `start` to `end`, both included, all without them. Throws NoSuchObject, at the first piece at the latest. */
  read(key: ObjectKey, range?: { start: number; end: number }): AsyncIterable<Uint8Array>;
  /** How many bytes an object has; null where there is none. */
  sizeOf(key: ObjectKey): Promise<number | null>;
  /** Calls `use` with the path of a file that has the object's bytes. It is only read, and gone when `use` has ended. */
  withFile<T>(key: ObjectKey, use: (path: string) => Promise<T>): Promise<T>;
  /** Removes what is there of these keys. */
  remove(keys: readonly ObjectKey[]): Promise<void>;
  /** Every object, in no order; one that comes or goes meanwhile may be in it or not. */
  list(): AsyncIterable<StoredObject>;
  /** Stores a few bytes and removes them. Throws the error that keeps an object from being stored now. */
  probe(): Promise<void>;
  /** Removes what is left of `put`s that died, begun before a time (unix ms) before which none that still runs began. */
  removeUnfinished(begunBefore: number): Promise<void>;
}
