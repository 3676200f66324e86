// Records in IndexedDB, as browsers give it, refuse it and take it away.
import * as fake from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openRecordStore } from "./record-store.ts";

const NAME = "records-of-a-test";
const logged: string[] = [];
const log = (message: string, detail?: unknown): void => void logged.push(`${message}: ${String(detail)}`);
const open = (version = 1) => openRecordStore(NAME, version, log);

/** A connection of another tab, which does not let go when a newer version is wanted. */
function holdOpen(version: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(NAME, version);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error ?? new Error("not opened"));
  });
}

beforeEach(() => {
  logged.length = 0;
  // The library tells its objects apart by their classes.
  for (const [name, value] of Object.entries(fake)) if (name.startsWith("IDB")) vi.stubGlobal(name, value);
  vi.stubGlobal("indexedDB", new fake.IDBFactory());
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("records", () => {
  it("are read as they were written, also by the next page, until they are removed", async () => {
    const records = open();
    await records.set("a", { messages: ["好", 1] });
    await records.set("b", 2);
    expect(await records.get("a")).toEqual({ messages: ["好", 1] });
    expect(await records.get("nothing")).toBeUndefined();
    const again = open();
    await again.remove("a");
    expect(await records.get("a")).toBeUndefined();
    expect(await again.get("b")).toBe(2);
    await again.clear();
    expect(await records.get("b")).toBeUndefined();
    expect(logged).toEqual([]);
  });

  it("of another version are lost", async () => {
    await open(1).set("a", 1);
    const newer = open(2);
    expect(await newer.get("a")).toBeUndefined();
    await newer.set("a", 2);
    expect(await newer.get("a")).toBe(2);
    expect(logged).toEqual([]);
  });

  it("give way to a newer version that another tab brings, and are then nothing to this one", async () => {
    const records = open(1);
    await records.set("a", 1);
    const newer = open(2);
    await newer.set("a", 2);
    expect(await records.get("a")).toBeUndefined();
    await records.set("a", 1);
    expect(await newer.get("a")).toBe(2);
  });
});

describe("where nothing can be kept", () => {
  /** What is read after a write, and how often the log says why. */
  const tryToKeep = async () => {
    const records = open();
    await records.set("a", 1);
    const read = await records.get("a");
    await records.remove("a");
    await records.clear();
    return { read, said: logged.length };
  };

  it("since there is no IndexedDB", async () => {
    vi.stubGlobal("indexedDB", undefined);
    expect(await tryToKeep()).toEqual({ read: undefined, said: 1 });
  });

  it("since a private window forbids it at once", async () => {
    vi.spyOn(indexedDB, "open").mockImplementation(() => {
      throw new DOMException("denied", "SecurityError");
    });
    expect(await tryToKeep()).toEqual({ read: undefined, said: 1 });
  });

  it("since a private window refuses it after a while", async () => {
    const refused = { error: new DOMException("no", "InvalidStateError") } as IDBOpenDBRequest;
    vi.spyOn(indexedDB, "open").mockImplementation(() => {
      queueMicrotask(() => refused.onerror?.(new Event("error")));
      return refused;
    });
    expect(await tryToKeep()).toEqual({ read: undefined, said: 1 });
  });

  it("since another tab holds the version before, nobody waits for it", async () => {
    const other = await holdOpen(1);
    const records = open(2);
    expect(await records.get("a")).toBeUndefined();
    await records.set("a", 1);
    expect(logged).toHaveLength(1);
    // What opens late does not stand in the way of the next version.
    other.close();
    await vi.waitFor(async () => expect((await indexedDB.databases())[0]?.version).toBe(2));
    const third = open(3);
    await third.set("a", 3);
    expect(await third.get("a")).toBe(3);
  });
});

describe("a change that fails", () => {
  /** The storage is full: what is written is undone. */
  const fillUp = () =>
    vi.spyOn(fake.IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore) {
      this.transaction.abort();
      throw new DOMException("full", "QuotaExceededError");
    });

  it("for want of room is told in the log alone; what was kept can be read, and there is room again", async () => {
    const records = open();
    await records.set("a", 1);
    const full = fillUp();
    await records.set("b", "large");
    await records.set("c", "large");
    expect(logged).toHaveLength(2);
    expect(logged[0]).toContain("QuotaExceededError");
    full.mockRestore();
    expect(await records.get("a")).toBe(1);
    expect(await records.get("b")).toBeUndefined();
    await records.set("b", "small");
    expect(await records.get("b")).toBe("small");
  });

  it("leaves no connection behind that would stand in the way", async () => {
    const databases: IDBDatabase[] = [];
    const opened = vi.spyOn(indexedDB, "open");
    const records = open();
    await records.set("a", 1);
    vi.spyOn(fake.IDBObjectStore.prototype, "get").mockImplementation(function (this: IDBObjectStore, key) {
      const request = this.getKey(key);
      this.transaction.abort();
      return request;
    });
    for (const key of ["b", "c", "d"]) await records.get(key);
    for (const { value } of opened.mock.results) databases.push((value as IDBOpenDBRequest).result);
    const isOpen = (db: IDBDatabase): boolean => {
      try {
        db.transaction("records");
        return true;
      } catch {
        return false;
      }
    };
    expect(databases.filter(isOpen).length).toBeLessThanOrEqual(1);
  });

  it("since the browser took the database away is tried on a new connection by the next one", async () => {
    const opened = vi.spyOn(indexedDB, "open");
    const records = open();
    await records.set("a", 1);
    for (const { value } of opened.mock.results) (value as IDBOpenDBRequest).result.close();
    expect(await records.get("a")).toBeUndefined();
    expect(await records.get("a")).toBe(1);
  });
});
