// Words in pictures and scans. One page of each language here, 20 of each with TEST_LONG=1.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { PictureReader } from "./picture-reader.ts";
import { ProcessDocumentReader } from "./process-document-reader.ts";
import { pdfOf, stream } from "./testing/pdf-writer.fixture.ts";
import { bytesReader } from "./testing/read-bytes.fixture.ts";
import { smallPictures } from "./testing/small-pictures.fixture.ts";
import { sampleTexts } from "./testing/sample-texts.fixture.ts";
import { convert, pictureOf, scanOf } from "./testing/text-picture.fixture.ts";
import { wrongPerThousand } from "./testing/wrong-characters.fixture.ts";

const isLong = process.env["TEST_LONG"] === "1";
const { read, close } = bytesReader(new ProcessDocumentReader({ pictures: new PictureReader() }));
afterAll(close);
// Recognition in a process of its own takes seconds on a busy machine.
const timeout = 180_000;

const english =
  "Whereas recognition of the inherent dignity and of the equal and inalienable rights of all members of the human family " +
  "is the foundation of freedom, justice and peace in the world, Everyone has the right to life, liberty and security of " +
  "person. No one shall be held in slavery or servitude; All are equal before the law and are entitled without any " +
  "discrimination to equal protection of the law. Everyone charged with a penal offence has the right to be presumed " +
  "innocent until proved guilty according to law in a public trial at which he has had all the guarantees necessary.";

/** The text; what came instead of one, as JSON. */
async function wordsOf(content: Buffer, extension: string): Promise<string> {
  const result = await read(content, extension);
  return typeof result === "string" ? result : JSON.stringify(result);
}

/** Lines of a page: another part of the text for each page. */
function page(text: string, length: number, number: number): string[] {
  const words = text.replaceAll("\n", "").repeat(4);
  const start = (number * 37) % 200;
  return Array.from({ length: 18 }, (_, at) =>
    words.slice(start + at * length, start + (at + 1) * length).trim(),
  );
}

const fonts = ["Noto Sans CJK SC, sans-serif", "Noto Serif CJK SC, serif"];

describe.each([
  ["English", english, 60],
  ["Chinese", sampleTexts.simplifiedChinese, 34],
] as const)("a page in %s", (language, text, length) => {
  test("is read from a picture of it [FILE-001]", { timeout: 40 * timeout }, async () => {
    const wrong: number[] = [];
    for (let number = 0; number < (isLong ? 20 : 1); number += 1) {
      const lines = page(text, length, number);
      const options = { font: fonts[number % 2] ?? "", size: 24 + (number % 4) * 3 };
      wrong.push(wrongPerThousand(await wordsOf(await pictureOf(lines, options), "png"), lines.join("\n")));
    }
    const mean = wrong.reduce((sum, one) => sum + one, 0) / wrong.length;
    process.stdout.write(
      `${language}: ${mean.toFixed(1)} of 1,000 characters wrong on ${wrong.length} pages, at most ${Math.max(...wrong).toFixed(1)}\n`,
    );
    expect(mean).toBeLessThan(20);
  });
});

test.each(["jpeg", "jpg", "webp", "gif", "avif", "bmp", "ico", "apng"])(
  "a picture called .%s gives its words [FILE-024]",
  { timeout },
  async (extension) => {
    const png = await pictureOf(["Everyone has the right", "人人生而自由"], { width: 600 });
    const format = { jpg: "jpeg", apng: "png" }[extension] ?? extension;
    const text = await wordsOf(await convert(png, format), extension);
    expect(text.replaceAll(" ", "")).toBe("Everyonehastheright\n人人生而自由\n");
  },
);

test("of a scan with a page of text each page gives its own [FILE-024]", { timeout }, async () => {
  const png = await pictureOf(["第二页写着这些字", "Second page"], { width: 600 });
  const text = await wordsOf(await scanOf(png, "The first page has text."), "pdf");
  expect(text.replaceAll(" ", "")).toBe("Thefirstpagehastext.\n\n第二页写着这些字\nSecondpage\n\n");
});

test("a tall picture is read to its end", { timeout }, async () => {
  const lines = Array.from({ length: 40 }, (_, at) => `Line number ${at + 1} of many`);
  const text = await wordsOf(await pictureOf(lines, { width: 500 }), "png");
  expect(wrongPerThousand(text, lines.join("\n"))).toBeLessThan(20);
});

test.each([
  ["without words", () => pictureOf([]), "png", 40_001],
  ["that is damaged", async () => (await pictureOf(["right"])).subarray(0, 400), "png", 40_003],
  ["of too many pixels", async () => tooLarge(await pictureOf(["right"])), "png", 40_007],
  ["of nothing but its mark", () => Buffer.from("89504e470d0a1a0a", "hex"), "png", 40_003],
  [
    "whose icon lies outside of it",
    async () => (await convert(await pictureOf(["right"]), "ico")).subarray(0, 22),
    "ico",
    40_003,
  ],
  [
    "of a bitmap cut short",
    async () => (await convert(await pictureOf(["right"]), "bmp")).subarray(0, 900),
    "bmp",
    40_003,
  ],
] as const)("a picture %s says so", { timeout }, async (_, make, extension, errorCode) => {
  expect(await read(await make(), extension)).toEqual({ kind: "failed", errorCode });
});

test("a scan without words says so", { timeout }, async () => {
  const page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 1e9 1e9]/Contents 4 0 R>>";
  const scan = pdfOf([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Count 1/Kids[3 0 R]>>",
    page,
    stream("0 0 5 5 re f"),
  ]);
  expect(await read(scan, "pdf")).toEqual({ kind: "failed", errorCode: 40_002 });
});

/** Its head says that it has 50,000 pixels on each side. */
function tooLarge(png: Buffer): Buffer {
  const copy = Buffer.from(png);
  copy.writeUInt32BE(50_000, 16);
  copy.writeUInt32BE(50_000, 20);
  copy.writeUInt32BE(crc32(copy.subarray(12, 29)), 29);
  return copy;
}

describe("where words in pictures cannot be read", () => {
  const folder = mkdtempSync(join(tmpdir(), "plumb-ocr-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const state = (content: object) => writeFileSync(join(folder, "state.json"), JSON.stringify(content));
  const picture = smallPictures["png"] ?? Buffer.alloc(0);

  test.each([
    ["nothing has begun", null],
    ["it was not to be had", { state: "failed", why: "no network" }],
    ["what installed it has died", { state: "installing", pid: 2 ** 22 + 1 }],
  ])("a picture says that it is so when %s", async (_, content) => {
    rmSync(join(folder, "state.json"), { force: true });
    if (content !== null) state(content);
    const { read: readHere, close: closeHere } = bytesReader(
      new ProcessDocumentReader({ pictures: new PictureReader(folder) }),
    );
    expect(await readHere(picture, "png")).toEqual({ kind: "failed", errorCode: 40_010 });
    await closeHere();
  });

  test("a picture waits while it is being installed", async () => {
    state({ state: "installing", pid: process.pid });
    const { read: readHere, close: closeHere } = bytesReader(
      new ProcessDocumentReader({ pictures: new PictureReader(folder) }),
    );
    expect(await readHere(picture, "png")).toEqual({ kind: "later" });
    await closeHere();
  });

  test("with OCR=off a picture says that it is so", async () => {
    const { read: readHere, close: closeHere } = bytesReader(new ProcessDocumentReader());
    expect(await readHere(picture, "png")).toEqual({ kind: "failed", errorCode: 40_010 });
    await closeHere();
  });
});
