// Documents that are made to harm. Each costs its own call: it ends with its code, and neither the memory of this process
// nor other documents notice. One of each kind here, all of them with TEST_LONG=1.
import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { ProcessDocumentReader } from "./process-document-reader.ts";
import type { HostileDocument } from "./testing/hostile-document.fixture.ts";
import { hostileOthers } from "./testing/hostile-others.fixture.ts";
import { hostilePackages } from "./testing/hostile-packages.fixture.ts";
import { hostilePdfs } from "./testing/hostile-pdfs.fixture.ts";
import { docx } from "./testing/office-samples.fixture.ts";
import { bytesReader } from "./testing/read-bytes.fixture.ts";

const all = [...hostilePackages, ...hostilePdfs, ...hostileOthers];
const isLong = process.env["TEST_LONG"] === "1";
const chosen = all.filter(({ daily }) => isLong || daily === true);
const { read, close } = bytesReader(new ProcessDocumentReader());
afterAll(close);

const secrets = readFileSync("/etc/passwd", "utf8").split("\n")[0] ?? "";

function endingOf(result: Awaited<ReturnType<typeof read>>): HostileDocument["ends"][number] {
  if (typeof result === "string") return "text";
  if (result.kind === "failed") return result.errorCode;
  return result.kind === "later" ? "text" : "too-long";
}

test("there are more than 80, each with a name of its own", () => {
  expect(all.length).toBeGreaterThan(80);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});

test.each(chosen.map((document) => [document.name, document] as const))(
  "%s [FILE-054]",
  { timeout: 120_000 },
  async (_, { content, extension, ends }) => {
    const result = await read(content(), extension);
    expect(ends).toContain(endingOf(result));
    if (typeof result === "string") expect(result).not.toContain(secrets);
  },
);

test("a good document is read while hostile ones are", { timeout: 120_000 }, async () => {
  const heaviest = all.filter(({ name }) => /unpacks to 1 GB of elements|nested a million deep/.test(name));
  expect(heaviest.length).toBeGreaterThan(2);
  const hostile = heaviest.map(async ({ content, extension }) => read(content(), extension));
  expect(await read(docx(["right"]), "docx")).toBe("right\n");
  await Promise.all(hostile);
});

test("this process holds no more than before", { timeout: 120_000 }, async () => {
  const bomb =
    all.find(({ name }) => name === "an xlsx whose one text is 1 GB")?.content() ?? Buffer.alloc(0);
  const before = process.memoryUsage();
  await read(bomb, "xlsx");
  const after = process.memoryUsage();
  expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(32 * 1024 * 1024);
});
