// What is told of a document that is broken, locked or empty: its own code of wire-contract.md §18.7, whether words in
// pictures are read on this server or not.
import { afterAll, describe, expect, test } from "vitest";
import { ProcessDocumentReader } from "./process-document-reader.ts";
import { doc, lockedOfficeFile, ppt, xls } from "./testing/binary-samples.fixture.ts";
import { hostilePdfs } from "./testing/hostile-pdfs.fixture.ts";
import * as office from "./testing/office-samples.fixture.ts";
import { pdf, pdfOf, stream } from "./testing/pdf-writer.fixture.ts";
import { bytesReader } from "./testing/read-bytes.fixture.ts";
import { smallPictures } from "./testing/small-pictures.fixture.ts";

const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length >> 1);

const catalogue = "<</Type/Catalog/Pages 2 0 R>>";
const page =
  "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>";
const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";
const pdfOfPage = (content: Buffer): Buffer =>
  pdfOf([catalogue, "<</Type/Pages/Count 1/Kids[3 0 R]>>", page, content, font]);

/** A page whose packed words have other bytes from the one at `from` on. */
function spoiled(from: number): Buffer {
  const bytes = pdfOfPage(stream("BT /F 12 Tf (right) Tj ET", "", true));
  const at = bytes.indexOf("stream\n") + "stream\n".length;
  return bytes.fill(0xaa, at + from, at + from + 8);
}

/** The end of the file, and its table of objects, are missing: the page can still be found, its words cannot. */
function withoutWords(): Buffer {
  const bytes = pdfOfPage(stream("BT /F 12 Tf (right) Tj ET", "", true));
  const cut = bytes.subarray(0, bytes.indexOf("stream\n") + 9);
  return Buffer.concat([cut, Buffer.from("\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n")]);
}

const hostilePdf = (name: string): Buffer =>
  hostilePdfs.find((one) => one.name === name)?.content() ?? Buffer.alloc(0);
const lockedBook = office.epub(["<p>right</p>"], {
  "META-INF/encryption.xml":
    '<encryption><EncryptedData><CipherData><CipherReference URI="OEBPS/text%200.xhtml"/></CipherData></EncryptedData></encryption>',
});

type Case = readonly [what: string, extension: string, content: Buffer, code: number];

const documents: Readonly<Record<string, Buffer>> = {
  pdf: pdf([["right"]]),
  docx: office.docx(["right"]),
  xlsx: office.xlsx([["right"]]),
  pptx: office.pptx([["right"]], "note"),
  odt: office.odt(["right"]),
  ods: office.ods([["right"]]),
  odp: office.odp([["right"]]),
  epub: office.epub(["<p>right</p>"]),
};

const cases: readonly Case[] = [
  ...Object.entries({ ...documents, ...smallPictures }).flatMap(([extension, bytes]): Case[] => [
    [`a .${extension} cut in half`, extension, half(bytes), 40_003],
    [`an empty .${extension}`, extension, Buffer.alloc(0), 40_000],
  ]),
  ...Object.entries(smallPictures).map(([extension, bytes]): Case => [
    `a .${extension} without its end`,
    extension,
    bytes.subarray(0, -12),
    40_003,
  ]),
  ["a .doc cut in half", "doc", half(doc(["right"])), 40_003],
  ["a .xls cut in half", "xls", half(xls([["right"]])), 40_003],
  ["a .ppt cut in half", "ppt", half(ppt([{ title: "right", box: "" }])), 40_003],
  ["a PDF whose packed words are spoiled", "pdf", spoiled(2), 40_003],
  ["a PDF whose words are packed in no known way", "pdf", spoiled(0), 40_003],
  ["a PDF whose words are missing", "pdf", withoutWords(), 40_003],
  ["a PDF whose pages hold each other", "pdf", hostilePdf("a PDF whose pages hold each other"), 40_003],
  ["a PDF of a blank page", "pdf", pdfOfPage(stream("")), 40_000],
  ["a PDF without pages", "pdf", pdfOf([catalogue, "<</Type/Pages/Count 0/Kids[]>>"]), 40_000],
  ["a PDF with a password", "pdf", hostilePdf("a PDF with a password"), 40_004],
  ...["docx", "xlsx", "pptx", "doc", "xls", "ppt"].map((extension): Case => [
    `a locked .${extension}`,
    extension,
    lockedOfficeFile(),
    40_004,
  ]),
  ["a locked .epub", "epub", lockedBook, 40_004],
  ["a .docx of white space", "docx", office.docx([" ", "\t"]), 40_009],
  ["a text of white space", "txt", Buffer.from(" \n\t"), 40_009],
];

/** What could be one whose words are in pictures; the other formats of these take the same way. */
const couldBePictures = cases.filter(([, extension]) => extension === "pdf" || extension === "png");

const scan = pdfOfPage(stream("0 0 50 50 re f"));

describe.each([
  ["off", null, cases, { picture: 40_010, scan: 40_010 }],
  [
    "there, and finds nothing",
    { state: async () => "installed" as const, read: async () => ({ status: 64 }) },
    couldBePictures,
    { picture: 40_001, scan: 40_002 },
  ],
])("where the reading of pictures is %s", (_, pictures, broken, wordless) => {
  const { read, close } = bytesReader(new ProcessDocumentReader({ pictures }));
  afterAll(close);

  test.each(broken)(
    "%s says what is wrong with it [FILE-007]",
    async (_what, extension, content, errorCode) => {
      expect(await read(content, extension)).toEqual({ kind: "failed", errorCode });
    },
  );

  test.each(Object.entries(smallPictures))("a whole .%s has no words", async (extension, content) => {
    expect(await read(content, extension)).toEqual({ kind: "failed", errorCode: wordless.picture });
  });

  test("a scan has none, and is not broken", async () => {
    expect(await read(scan, "pdf")).toEqual({ kind: "failed", errorCode: wordless.scan });
  });
});
