// What is written is a zip to others, too: Info-ZIP or Python where they are there, and the reader that we use for documents.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { openPromise } from "yauzl";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { EntriesAside } from "./pack-aside.ts";
import type { ZipEntry } from "./pack-entries.ts";
import { type PackedEntries, writeZip } from "./write-zip.ts";
import { centralEntry, dataDescriptor, endOfZip } from "./zip-records.ts";

const changedAt = Date.UTC(2026, 1, 3, 4, 5, 6);

type Parts = (ZipEntry | PackedEntries)[];

async function bytesOf(entries: Parts | AsyncIterable<Parts[number]>): Promise<Buffer> {
  async function* all() {
    yield* entries;
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of writeZip(all())) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

async function readBack(file: string): Promise<[name: string, content: string, at: number][]> {
  const zip = await openPromise(file);
  const found: [string, string, number][] = [];
  for await (const entry of zip.eachEntry()) {
    const content = await text(await zip.openReadStreamPromise(entry));
    found.push([entry.fileName, content, entry.getLastModDate({ timezone: "UTC" }).getTime()]);
  }
  return found;
}

/** True where the program is there and says that the zip is whole. */
function saysWhole(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "pipe" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw error;
  }
}

it("is read by other programs: names of all scripts, empty, large and odd contents", async () => {
  const contents = new Map<string, (string | Uint8Array)[]>([
    ["account.json", ["{}"]],
    ["empty.md", []],
    ["sessions/你好 🌍 مرحبا.md", ["Grüße", "", "\u{1f600}".repeat(50_000)]],
    ["large.txt", Array.from({ length: 3000 }, (_, n) => `line ${n} ${"x".repeat(n % 400)}\n`)],
    ["bytes", [new Uint8Array([0xc3]), new Uint8Array([0xa9])]],
  ]);
  const entries = [...contents].map(([name, content]) => ({ name, changedAt, content }));
  const file = join(temporaryFolder("zip"), "a.zip");
  writeFileSync(file, await bytesOf(entries));
  expect(await readBack(file)).toEqual(
    [...contents].map(([name, content]) => [
      name,
      Buffer.concat(content.map((piece) => Buffer.from(piece as string))).toString("utf8"),
      changedAt,
    ]),
  );
  expect(saysWhole("unzip", ["-t", file])).toBe(true);
  expect(saysWhole("python3", ["-m", "zipfile", "-t", file])).toBe(true);
});

it("takes no piece before the bytes of the one before have been taken, and ends with the error of a content", async () => {
  let made = 0;
  function* endless(): Generator<Uint8Array> {
    for (;;) {
      made += 1;
      // What cannot be packed.
      yield crypto.getRandomValues(new Uint8Array(64 * 1024));
    }
  }
  async function* one() {
    yield { name: "a", changedAt, content: endless() };
  }
  const zip = writeZip(one());
  for (let n = 0; n < 20; n += 1) await zip.next();
  expect(made).toBeLessThan(20 + 8);
  await zip.return(undefined);

  function* broken(): Generator<string> {
    yield "some";
    throw new Error("the session is gone");
  }
  await expect(bytesOf([{ name: "a", changedAt, content: broken() }])).rejects.toThrow("the session is gone");
});

describe("entries that are packed aside", () => {
  const kept = new Map<string, Buffer>();
  const store: Pick<ObjectStore, "put" | "read"> = {
    async put(key, source) {
      const pieces: Uint8Array[] = [];
      for await (const piece of source) pieces.push(Buffer.from(piece));
      kept.set(key, Buffer.concat(pieces));
      return pieces.length;
    },
    async *read(key) {
      yield kept.get(key) ?? Buffer.alloc(0);
    },
  };
  const entry = (n: number, content: ZipEntry["content"]): ZipEntry => ({
    name: `${n}.md`,
    changedAt,
    content,
  });

  it("stand behind the one that was written meanwhile, small and large ones in the order they came in", async () => {
    const contents = Array.from({ length: 50 }, (_none, n) => `${n} `.repeat(n % 7 === 0 ? 100_000 : n));
    const aside = new EntriesAside(store, "a.aside");
    async function* outer(): AsyncGenerator<string> {
      for (const [n, content] of contents.entries()) {
        yield `${n}\n`;
        await aside.add(entry(n, [content]));
      }
    }
    async function* all() {
      yield { name: "numbers.txt", changedAt, content: outer() };
      yield await aside.end();
      yield { name: "last.txt", changedAt, content: ["the last"] };
    }
    const file = join(temporaryFolder("zip"), "a.zip");
    writeFileSync(file, await bytesOf(all()));
    expect((await readBack(file)).map(([name, content]) => [name, content])).toEqual([
      ["numbers.txt", contents.map((_none, n) => `${n}\n`).join("")],
      ...contents.map((content, n) => [`${n}.md`, content]),
      ["last.txt", "the last"],
    ]);
    expect(saysWhole("unzip", ["-t", file])).toBe(true);
  });

  it("are taken no faster than they are stored; what is open when they are given up is closed", async () => {
    let open = 0;
    let closed = 0;
    async function* large(): AsyncGenerator<Uint8Array> {
      open += 1;
      try {
        for (;;) yield crypto.getRandomValues(new Uint8Array(64 * 1024));
      } finally {
        closed += 1;
      }
    }
    let mayStore = (): void => {};
    const gate = new Promise<void>((resolve) => {
      mayStore = resolve;
    });
    const slow: typeof store = {
      ...store,
      put: (key, source) =>
        store.put(
          key,
          (async function* () {
            for await (const piece of source) {
              await gate;
              yield piece;
            }
          })(),
        ),
    };
    const aside = new EntriesAside(slow, "b.aside");
    let taken = 0;
    const adding = (async () => {
      for (let n = 0; n < 100; n += 1) {
        await aside.add(entry(n, large()));
        taken += 1;
      }
    })();
    const refused = adding.catch(String);
    await expect.poll(() => open).toBe(2);
    const stopped = aside.stop();
    mayStore();
    await stopped;
    expect(await refused).toContain("given up");
    expect(taken).toBeLessThan(20);
    await expect.poll(() => closed).toBe(open);
    expect(kept.has("b.aside")).toBe(false);
  });

  it("tell what has kept one from being stored to whoever adds the next, or ends them", async () => {
    const full: typeof store = {
      ...store,
      async put(_key, source) {
        for await (const _piece of source) throw new Error("the disk is full");
        return 0;
      },
    };
    const aside = new EntriesAside(full, "c.aside");
    const adding = async (): Promise<void> => {
      for (;;) await aside.add(entry(1, ["some"]));
    };
    await expect(adding()).rejects.toThrow("the disk is full");
    await expect(aside.end()).rejects.toThrow("the disk is full");
    await aside.stop();

    function* broken(): Generator<string> {
      yield "some";
      throw new Error("the session is gone");
    }
    const other = new EntriesAside(store, "d.aside");
    await other.add(entry(1, broken()));
    await expect(other.end()).rejects.toThrow("the session is gone");
    expect(kept.has("d.aside")).toBe(false);
  });
});

it("says sizes and places over 4 GiB as Zip64", () => {
  const huge = { name: "a", changedAt, offset: 2 ** 33, crc: 7, size: 2 ** 34, packed: 2 ** 32 };
  const record = centralEntry(huge);
  expect([record.readUInt32LE(20), record.readUInt32LE(24), record.readUInt32LE(42)]).toEqual([
    0xffffffff, 0xffffffff, 0xffffffff,
  ]);
  const extra = record.subarray(46 + 1);
  expect([extra.readUInt16LE(0), extra.readUInt16LE(2)]).toEqual([1, 24]);
  expect([4, 12, 20].map((at) => Number(extra.readBigUInt64LE(at)))).toEqual([2 ** 34, 2 ** 32, 2 ** 33]);
  expect(Number(dataDescriptor(huge).readBigUInt64LE(16))).toBe(2 ** 34);
  const end = endOfZip({ entries: 1, offset: 2 ** 35, bytes: 99 });
  expect(Number(end.readBigUInt64LE(48))).toBe(2 ** 35);
  expect(Number(end.readBigUInt64LE(64))).toBe(2 ** 35 + 99);
  expect(end.readUInt32LE(76)).toBe(0x06054b50);
  const many = endOfZip({ entries: 66_000, offset: 5, bytes: 99 });
  expect(Number(many.readBigUInt64LE(24))).toBe(66_000);
});
