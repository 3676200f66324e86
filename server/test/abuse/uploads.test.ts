// Uploads that are meant to harm: they hold little, leave nothing, and stand in nobody's way.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { filesToReadOfUser } from "@plumb/protocol/limits";
import { uploadFile } from "@plumb/protocol/wire/files";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "../create-test-app.ts";
import { heldBytes } from "../held-bytes.ts";
import { openRaw, postHead, type RawConnection } from "../raw-http.ts";
import type { TestClient } from "../test-client.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const long = process.env["TEST_LONG"] === "1";

let app: TestApp;
let anna: TestClient;
let opened: RawConnection[];

beforeEach(async () => {
  opened = [];
  app = await createTestApp();
  anna = await app.signedIn();
});
afterEach(async () => {
  for (const { socket } of opened) socket.destroy();
  await app.close();
});

const filePart = (name: string) =>
  `--b\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;

/** The head of an upload and what follows it. */
async function begin(person: TestClient, length: number, text: string | Uint8Array): Promise<RawConnection> {
  const connection = await openRaw(app.address);
  opened.push(connection);
  const proof = Object.entries(await person.proofFor(uploadFile)).map(([name, value]) => `${name}: ${value}`);
  connection.send(postHead(uploadFile.path, length, `authorization: Bearer ${person.token}`, ...proof));
  connection.send(text);
  return connection;
}

const rowsLeft = async () => {
  const { kysely } = app.db;
  const files = await kysely.selectFrom("files").select("status").where("status", "=", "UPLOADING").execute();
  const jobs = await kysely.selectFrom("jobs").select("kind").where("kind", "=", "file-upload").execute();
  return files.length + jobs.length;
};
const unfinished = () => {
  const incoming = join(app.config.dataDir, "objects", "incoming");
  return existsSync(incoming) ? readdirSync(incoming).length : 0;
};

test("slow uploads of many hold little, and end as if they had not been when their senders go", async () => {
  const people = await Promise.all(Array.from({ length: long ? 60 : 12 }, () => app.signedIn()));
  await anna.uploaded("a.txt", "x");
  const before = heldBytes();
  const half = Buffer.from(`${filePart("slow.txt")}${"word ".repeat(40 * KIB)}`);
  for (const person of people) {
    for (let count = 0; count < 3; count += 1) await begin(person, 100 * MIB, half);
  }
  const sent = people.length * 3;
  await vi.waitFor(() => expect(unfinished()).toBe(sent), { timeout: 20_000 });
  // A piece, and what waits behind it.
  expect(heldBytes() - before).toBeLessThan(sent * 256 * KIB + 12 * MIB);
  // Nobody is kept from anything by them, nor are these people but from a fourth upload.
  expect((await anna.uploaded("b.txt", "x")).status).toBe("SUCCESS");
  // The last: uploads of the first may have been cut for their slowness by now.
  const last = people.at(-1);
  expect((await last?.upload("c.txt", "x"))?.envelope.data?.biz_msg).toBe("TOO_MANY_CONCURRENT");
  for (const { socket } of opened) socket.destroy();
  await vi.waitFor(async () => expect([unfinished(), await rowsLeft()]).toEqual([0, 0]), { timeout: 20_000 });
  expect((await last?.upload("c.txt", "x"))?.envelope.data?.biz_code).toBe(0);
}, 120_000);

test("part headers without an end are refused before they are many", async () => {
  const endless = await begin(anna, 100 * MIB, `--b\r\n${"x-header: 1\r\n".repeat(4000)}`);
  await vi.waitFor(() => expect(endless.heard).toContain('"code":42200'), { timeout: 10_000 });
  const lines = await begin(anna, 100 * MIB, `--b\r\nx-header: ${"y".repeat(40 * KIB)}`);
  await vi.waitFor(() => expect(lines.heard).toContain('"code":42200'), { timeout: 10_000 });
  const parts = await begin(anna, 100 * MIB, "--b\r\n\r\nx\r\n".repeat(200));
  await vi.waitFor(() => expect(parts.heard).toContain('"code":42200'), { timeout: 10_000 });
  expect([unfinished(), await rowsLeft()]).toEqual([0, 0]);
});

test("an upload that is cut at any point before it is whole leaves nothing", async () => {
  const body = Buffer.from(`${filePart("cut.txt")}some words of a file\r\n--b--\r\n`);
  // Behind the closing boundary it is whole: the line break after it belongs to nothing (RFC 2046 §5.1.1).
  const whole = body.length - "\r\n".length;
  for (let at = 0; at < whole; at += long ? 1 : 9) {
    const { socket } = await begin(anna, body.length, body.subarray(0, at));
    await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
  }
  await vi.waitFor(async () => expect([unfinished(), await rowsLeft()]).toEqual([0, 0]), { timeout: 20_000 });
  const rows = await app.db.kysely.selectFrom("files").select("id").execute();
  expect(rows).toEqual([]);
}, 60_000);

test("names lead nowhere: no file lies under one, and none keeps a path, a control or a mark", async () => {
  const names = [
    "../../../../etc/passwd.txt",
    "..\\..\\windows\\system.txt",
    "/etc/cron.d/evil.sh",
    "C:\\evil.txt",
    "nul\u0000l.txt",
    "line\r\nx-header: 1.txt",
    "\u202etxt.exe.txt",
    "con.txt",
    "~root.txt",
    "$(reboot).sh",
    "'; drop table files; --.txt",
    "__proto__.txt",
    "a\u001b[31mred.txt",
    `${"界".repeat(250)}.txt`,
    "%2e%2e%2fetc%2fpasswd.txt",
    "a\u0300\u0301\u0302.txt",
  ];
  const kept: string[] = [];
  for (const name of names) kept.push((await anna.upload(name, "x")).data.file_name);
  for (const name of kept) expect(name).not.toMatch(/[/\\\p{Cc}\u202e]/u);
  expect(kept[0]).toBe("passwd.txt");
  const stored = readdirSync(app.config.dataDir, { recursive: true }).map(String);
  const objects = stored.filter((path) => path.startsWith("objects"));
  expect(objects.length).toBeGreaterThan(names.length);
  // The text of one that is just being read lies among the incoming.
  for (const path of objects)
    expect(path).toMatch(
      /^objects(\/(incoming(\/[0-9a-f-]{36})?|[0-9a-f]{2}(\/[0-9a-f-]{36}\.(content|text))?))?$/u,
    );
});

test("a thousand tiny uploads are taken or refused, one after the other, and what was taken is whole", async () => {
  const count = long ? 1000 : 100;
  const lanes = 3;
  let taken = 0;
  const before = heldBytes();
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let index = lane; index < count; index += lanes) {
        const { envelope } = await anna.upload(`tiny-${index}.txt`, `${index}`);
        if (envelope.data?.biz_code === 0) taken += 1;
        else expect(["TOO_MANY_CONCURRENT", "SERVER_BUSY"]).toContain(envelope.data?.biz_msg);
      }
    }),
  );
  // One user's files wait until they are read, and only so many of them do.
  expect(taken).toBeGreaterThanOrEqual(Math.min(count / 2, filesToReadOfUser));
  const rows = await app.db.kysely.selectFrom("files").select("bytes").execute();
  expect(rows).toHaveLength(taken);
  expect(rows.every(({ bytes }) => bytes > 0)).toBe(true);
  expect(heldBytes() - before).toBeLessThan(12 * MIB);
  expect((await (await app.signedIn()).upload("mine.txt", "x")).status).toBe(200);
}, 600_000);
