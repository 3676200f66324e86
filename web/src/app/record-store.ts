// A database of records in IndexedDB: one store, read and written by key.
import type { RecordStore } from "../engine/browser.ts";

const STORE = "records";

/** Opens the database; one of another version loses what it had. Rejects where another tab does not let go of an older one. */
function openDatabase(name: string, version: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, version);
    opening.onupgradeneeded = () => {
      const db = opening.result;
      for (const old of db.objectStoreNames) db.deleteObjectStore(old);
      db.createObjectStore(STORE);
    };
    opening.onerror = () => reject(opening.error ?? new Error("the database was not opened"));
    let isGivenUp = false;
    opening.onblocked = () => {
      isGivenUp = true;
      reject(new Error("another tab holds an older version"));
    };
    opening.onsuccess = () => {
      const db = opening.result;
      if (isGivenUp) return db.close();
      // Another tab brings a newer version.
      db.onversionchange = () => db.close();
      resolve(db);
    };
  });
}

/** Asks the store in a transaction of its own; resolves when that is complete. */
function inStore<T>(
  db: IDBDatabase,
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(STORE, mode);
    const request = ask(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () =>
      reject(transaction.error ?? request.error ?? new Error("the change was undone"));
  });
}

/** The records under `name`; where there is no database, a store that keeps nothing. */
export function openRecordStore(
  name: string,
  version: number,
  log: (message: string, detail?: unknown) => void,
): RecordStore {
  let opening: Promise<IDBDatabase | null> | null = null;

  function database(): Promise<IDBDatabase | null> {
    opening ??= Promise.resolve()
      .then(() => openDatabase(name, version))
      .catch((error: unknown) => {
        log(`the database ${name} can't be opened, nothing is cached`, error);
        return null;
      });
    return opening;
  }
  async function attempt<T>(
    mode: IDBTransactionMode,
    ask: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T | undefined> {
    const asked = database();
    const db = await asked;
    if (db === null) return undefined;
    try {
      return await inStore(db, mode, ask);
    } catch (error) {
      log(`the database ${name} failed`, error);
      // Perhaps it was closed from outside. The next one to ask gets a new connection.
      db.close();
      if (opening === asked) opening = null;
      return undefined;
    }
  }
  void database();
  return {
    get: (key) => attempt<unknown>("readonly", (store) => store.get(key)),
    async set(key, value) {
      await attempt("readwrite", (store) => store.put(value, key));
    },
    async remove(key) {
      await attempt("readwrite", (store) => store.delete(key));
    },
    async clear() {
      await attempt("readwrite", (store) => store.clear());
    },
  };
}
