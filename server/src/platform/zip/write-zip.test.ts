// What is written is a zip to others, too: Info-ZIP or Python where they are there, and the reader that we use for documents.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { openPromise } from "yauzl";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { writeZip, type ZipEntry } from "./write-zip.ts";
import { centralEntry, dataDescriptor, endOfZip } from "./zip-records.ts";

const changedAt = Date.UTC(2026, 1, 3, 4, 5, 6);

async function bytesOf(entries: readonly ZipEntry[]): Promise<Buffer> {
  async function* all() {
    yield* entries;
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of writeZip(all())) pieces.push(piece);
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
