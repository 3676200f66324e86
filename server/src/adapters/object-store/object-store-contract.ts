// What every object store must do; each adapter runs this suite.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { NoSuchObject, type ObjectStore, type StoredObject } from "../../ports/object-store.ts";

const MIB = 1024 * 1024;
const KEY = "0f3a-one.content";

async function* piecesOf(...pieces: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function listed(store: ObjectStore): Promise<StoredObject[]> {
  const found: StoredObject[] = [];
  for await (const object of store.list()) found.push(object);
  return found.toSorted((one, other) => one.key.localeCompare(other.key));
}

/** What buffers hold, when those that were let go of are freed beside the program. */
async function held(heldBytes: () => number): Promise<number> {
  heldBytes();
  await sleep(20);
  return heldBytes();
}

/** `unfinished` tells how many puts have left something that no key leads to; `heldBytes` what the buffers of this process hold. */
export function objectStoreContract(
  name: string,
  heldBytes: () => number,
  make: () => Promise<{ store: ObjectStore; unfinished: () => Promise<number> }>,
): void {
  describe(`${name}, as an object store`, () => {
    let store: ObjectStore;
    let unfinished: () => Promise<number>;
    beforeEach(async () => {
      ({ store, unfinished } = await make());
    });

    it("gives back what it was given, whole and in ranges", async () => {
      expect(await store.put(KEY, piecesOf("Hello, ", "", "世界"))).toBe(13);
      expect(await textOf(store.read(KEY))).toBe("Hello, 世界");
      expect(await textOf(store.read(KEY, { start: 0, end: 4 }))).toBe("Hello");
      expect(await textOf(store.read(KEY, { start: 7, end: 12 }))).toBe("世界");
      expect(await store.withFile(KEY, async (path) => readFileSync(path, "utf8"))).toBe("Hello, 世界");
      expect(await store.sizeOf(KEY)).toBe(13);
      await store.put("empty", piecesOf());
      expect(await store.sizeOf("empty")).toBe(0);
      expect(await textOf(store.read("empty"))).toBe("");
    });

    it("says that there is no such object", async () => {
      await expect(textOf(store.read(KEY))).rejects.toBeInstanceOf(NoSuchObject);
      await expect(store.withFile(KEY, async () => {})).rejects.toBeInstanceOf(NoSuchObject);
      expect(await store.sizeOf(KEY)).toBeNull();
      await store.remove([KEY]);
      expect(await listed(store)).toEqual([]);
    });

    it("takes no key that a user could have made", async () => {
      for (const key of [
        "../../etc/passwd",
        "a/b",
        "",
        "..",
        "A.txt",
        "a\0bc",
        "a".repeat(100),
        "ab.c.d",
        "incoming/x",
      ]) {
        await expect(store.put(key, piecesOf("x")), key).rejects.toThrow("no key");
        await expect(textOf(store.read(key)), key).rejects.toThrow("no key");
        await expect(store.remove([key]), key).rejects.toThrow("no key");
      }
      expect(await listed(store)).toEqual([]);
    });

    it("lists what is there, and removes it", async () => {
      const before = Date.now() - 2000;
      await store.put(KEY, piecesOf("12345"));
      await store.put("0f3a-two.content", piecesOf("1"));
      await store.put("9999", piecesOf("12"));
      const all = await listed(store);
      expect(all.map(({ key, bytes }) => [key, bytes])).toEqual([
        [KEY, 5],
        ["0f3a-two.content", 1],
        ["9999", 2],
      ]);
      for (const { storedAt } of all) expect(storedAt).toBeGreaterThan(before);
      await store.remove([KEY, "9999", "no-such"]);
      expect((await listed(store)).map(({ key }) => key)).toEqual(["0f3a-two.content"]);
    });

    it("keeps nothing of what broke, and what was there before", async () => {
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield Buffer.from("half of");
        throw new Error("cut off");
      }
      await expect(store.put(KEY, broken())).rejects.toThrow("cut off");
      expect(await listed(store)).toEqual([]);
      await store.put(KEY, piecesOf("old"));
      await expect(store.put(KEY, broken())).rejects.toThrow("cut off");
      expect(await textOf(store.read(KEY))).toBe("old");
      await store.put(KEY, piecesOf("new"));
      expect(await textOf(store.read(KEY))).toBe("new");
      expect(await unfinished()).toBe(0);
    });

    it("shows nothing before it is whole, and clears away only what is old", async () => {
      let go = (): void => {};
      const held = new Promise<void>((resolve) => (go = resolve));
      let begun = (): void => {};
      const running = new Promise<void>((resolve) => (begun = resolve));
      async function* slow(): AsyncGenerator<Uint8Array> {
        yield Buffer.from("first ");
        begun();
        await held;
        yield Buffer.from("last");
      }
      const putting = store.put(KEY, slow());
      await running;
      expect(await listed(store)).toEqual([]);
      expect(await unfinished()).toBe(1);
      await store.removeUnfinished(Date.now() - 60_000);
      go();
      await putting;
      expect(await textOf(store.read(KEY))).toBe("first last");
    });

    it("clears away what died", async () => {
      let end = (): void => {};
      const never = new Promise<void>((resolve) => (end = resolve));
      async function* half(): AsyncGenerator<Uint8Array> {
        yield Buffer.from("half");
        // As far as a killed process comes.
        await never;
      }
      const dead = store.put(KEY, half()).catch(() => {});
      while ((await unfinished()) === 0) await sleep(1);
      await store.removeUnfinished(Date.now() + 60_000);
      expect(await unfinished()).toBe(0);
      end();
      await dead;
      expect(await listed(store)).toEqual([]);
    });

    it("tries whether it takes objects, and leaves nothing of it", async () => {
      await store.probe();
      await Promise.all([store.probe(), store.probe()]);
      expect([await listed(store), await unfinished()]).toEqual([[], 0]);
    });

    it("holds no object in memory", async () => {
      const piece = Buffer.alloc(MIB, "x");
      let highest = 0;
      async function* large(): AsyncGenerator<Uint8Array> {
        for (let count = 0; count < 64; count += 1) {
          yield piece;
          if (count % 16 === 0) highest = Math.max(highest, await held(heldBytes));
        }
      }
      const before = await held(heldBytes);
      expect(await store.put(KEY, large())).toBe(64 * MIB);
      let read = 0;
      for await (const part of store.read(KEY)) {
        read += part.length;
        if (read % (16 * MIB) === 0) highest = Math.max(highest, await held(heldBytes));
      }
      expect(read).toBe(64 * MIB);
      expect(highest - before).toBeLessThan(4 * MIB);
    });
  });
}
