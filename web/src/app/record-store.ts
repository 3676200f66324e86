// A database of records in IndexedDB: one store, read and written by key.
import { openDB, type IDBPDatabase, type IDBPObjectStore } from "idb";
import type { RecordStore } from "../engine/browser.ts";

const STORE = "records";
type Store<Mode extends IDBTransactionMode> = IDBPObjectStore<unknown, string[], typeof STORE, Mode>;

/** Opens the database; one of another version loses what it had. Rejects where another tab keeps an older one open. */
function openDatabase(name: string, version: number): Promise<IDBPDatabase> {
  return new Promise((resolve, reject) => {
    let isGivenUp = false;
    const opening = openDB(name, version, {
      upgrade(db) {
        for (const old of db.objectStoreNames) db.deleteObjectStore(old);
        db.createObjectStore(STORE);
      },
      blocked() {
        isGivenUp = true;
        reject(new Error("another tab keeps an older version open"));
      },
      // Another tab brings a newer version.
      blocking: (_old, _new, event) => (event.target as IDBDatabase).close(),
    });
    opening.then((db) => (isGivenUp ? db.close() : resolve(db)), reject);
  });
}

/** Runs `ask` in a transaction of its own; resolves when that is complete. */
async function inStore<Mode extends IDBTransactionMode>(
  db: IDBPDatabase,
  mode: Mode,
  ask: (store: Store<Mode>) => Promise<unknown> | undefined,
): Promise<unknown> {
  const transaction = db.transaction([STORE] as string[], mode);
  // Handled here too, since `ask` may throw before both are awaited.
  transaction.done.catch(() => {});
  const [value] = await Promise.all([ask(transaction.objectStore(STORE)), transaction.done]);
  return value;
}

/** The records under `name`; where there is no database, a store that keeps nothing. */
export function openRecordStore(
  name: string,
  version: number,
  log: (message: string, detail?: unknown) => void,
): RecordStore {
  let opening: Promise<IDBPDatabase | null> | null = null;

  function database(): Promise<IDBPDatabase | null> {
    opening ??= openDatabase(name, version).catch((error: unknown) => {
      log(`the database ${name} can't be opened, nothing is cached`, error);
      return null;
    });
    return opening;
  }
  async function attempt(run: (db: IDBPDatabase) => Promise<unknown>): Promise<unknown> {
    const asked = database();
    const db = await asked;
    if (db === null) return undefined;
    try {
      return await run(db);
    } catch (error) {
      log(`the database ${name} failed`, error);
      // It may have been closed from outside. The next call gets a new connection.
      db.close();
      if (opening === asked) opening = null;
      return undefined;
    }
  }
  async function write(ask: (store: Store<"readwrite">) => Promise<unknown>): Promise<void> {
    await attempt((db) => inStore(db, "readwrite", ask));
  }
  void database();
  return {
    get: (key) => attempt((db) => inStore(db, "readonly", (store) => store.get(key))),
    set: (key, value) => write((store) => store.put(value, key)),
    remove: (key) => write((store) => store.delete(key)),
    clear: () => write((store) => store.clear()),
  };
}
