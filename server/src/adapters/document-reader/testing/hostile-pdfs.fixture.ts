// Hostile PDFs.
import { zlibBomb } from "./bombs.fixture.ts";
import type { HostileDocument } from "./hostile-document.fixture.ts";
import { pdf, pdfOf, stream } from "./pdf-writer.fixture.ts";

const catalogue = "<</Type/Catalog/Pages 2 0 R>>";
const onePage = "<</Type/Pages/Count 1/Kids[3 0 R]>>";
const page =
  "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</X 4 0 R>>>>>>";
const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";
const words = stream("BT /F 12 Tf (right) Tj ET");

/** A content stream of a Flate bomb. */
const bomb = (piece: string, bytes: number, dictionary = ""): Buffer => {
  const packed = zlibBomb(piece, bytes);
  return Buffer.concat([
    Buffer.from(`<</Filter/FlateDecode/Length ${packed.length}${dictionary}>>\nstream\n`),
    packed,
    Buffer.from("\nendstream"),
  ]);
};

const locked =
  "/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<" +
  "61".repeat(32) +
  ">/U<" +
  "62".repeat(32) +
  ">>>/ID[<00><00>]";

export const hostilePdfs: readonly HostileDocument[] = (
  [
    [
      "a PDF of a million objects",
      () =>
        pdfOf([catalogue, onePage, page, words, font, ...Array.from({ length: 1_000_000 }, () => "null")]),
      ["text"],
      true,
    ],
    [
      "a PDF whose pages hold each other",
      () =>
        pdfOf([
          catalogue,
          "<</Type/Pages/Count 9/Kids[3 0 R]>>",
          "<</Type/Pages/Count 9/Parent 2 0 R/Kids[2 0 R]>>",
        ]),
      [40_003],
      true,
    ],
    [
      "a PDF that says it has a billion pages",
      () => pdfOf([catalogue, "<</Type/Pages/Count 1000000000/Kids[3 0 R]>>", page, words, font]),
      [40_003, 40_010, 50_400, "text"],
      true,
    ],
    [
      "a PDF of pages in pages, 100,000 deep",
      () =>
        pdfOf([
          catalogue,
          ...Array.from({ length: 100_000 }, (_, at) => `<</Type/Pages/Count 1/Kids[${at + 3} 0 R]>>`),
          "<</Type/Page>>",
        ]),
      [40_000, 40_003, 40_007, "text"],
    ],
    [
      "a PDF whose page unpacks to 10 GB of blanks",
      () => pdfOf([catalogue, onePage, page, bomb(" ", 10_000_000_000), font]),
      [40_000, 40_003, 40_007, 50_202, 50_400],
      false,
    ],
    [
      "a PDF whose page unpacks to 1 GB of blanks",
      () => pdfOf([catalogue, onePage, page, bomb(" ", 1_000_000_000), font]),
      [40_000, 40_003, 40_007, 50_202],
      true,
    ],
    [
      "a PDF whose page says one word 20 million times",
      () => pdfOf([catalogue, onePage, page, bomb("BT /F 12 Tf (right) Tj ET\n", 500_000_000), font]),
      ["too-long", 40_010, 40_003, 40_007, 50_202, 50_400],
      false,
    ],
    [
      "a PDF whose page opens 50,000 states",
      () =>
        pdfOf([catalogue, onePage, page, stream(`${"q ".repeat(50_000)}BT /F 12 Tf (right) Tj ET`), font]),
      ["text", 50_400],
    ],
    [
      "a PDF whose form draws itself",
      () =>
        pdfOf([
          catalogue,
          onePage,
          page,
          stream(
            "BT /F 12 Tf (right) Tj ET /X Do",
            "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 4 0 R>>/Font<</F 5 0 R>>>>",
          ),
          font,
        ]),
      ["text", "too-long", 40_010, 40_003, 40_007, 50_202],
    ],
    [
      "a PDF whose font's table is 1 GB",
      () =>
        pdfOf([
          catalogue,
          onePage,
          page,
          words,
          "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>",
          bomb("1 beginbfchar <00> <0041> endbfchar\n", 1_000_000_000),
        ]),
      ["text", 40_010, 40_003, 50_202, 50_400],
    ],
    [
      "a PDF with ten filters one on the other",
      () =>
        pdfOf([
          catalogue,
          onePage,
          page,
          stream(
            "right",
            "/Filter[/ASCIIHexDecode/LZWDecode/RunLengthDecode/ASCII85Decode/ASCIIHexDecode/LZWDecode/RunLengthDecode/ASCII85Decode/FlateDecode/FlateDecode]",
          ),
          font,
        ]),
      [40_010, 40_003],
    ],
    [
      "a PDF whose tables of objects follow each other in a circle",
      () =>
        Buffer.from(
          pdfOf([catalogue, onePage, page, words, font], "/Prev 15")
            .toString("latin1")
            .replace("/Prev 15", "/Prev 15"),
          "latin1",
        ),
      ["text", 40_003],
    ],
    ["a PDF that refers to itself", () => pdfOf(["1 0 R"]), [40_003]],
    [
      "a PDF of arrays in arrays, 100,000 deep",
      () => pdfOf([catalogue, `<</Type/Pages/Count 1/Kids ${"[".repeat(100_000)}${"]".repeat(100_000)}>>`]),
      [40_003, 40_010, 40_007],
    ],
    ["a PDF with a password", () => pdfOf([catalogue, onePage, page, words, font], locked), [40_004], true],
    ["a PDF cut in half", () => pdf([["right"]]).subarray(0, 300), [40_003], true],
    ["a PDF of nothing but its mark", () => Buffer.from("%PDF-1.7\n"), [40_003]],
    [
      "a PDF of its mark and noise",
      () => Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(5_000_000, 0x3c)]),
      [40_003],
    ],
    [
      "a PDF with a script and a file to start",
      () =>
        pdfOf([
          "<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>/AA<</O<</S/Launch/F(/bin/sh)>>>>>>",
          onePage,
          page,
          words,
          font,
        ]),
      ["text"],
    ],
    [
      "a PDF with a page of a kilometre",
      () =>
        pdfOf([
          catalogue,
          onePage,
          "<</Type/Page/Parent 2 0 R/MediaBox[0 0 1e9 1e9]/Contents 4 0 R>>",
          stream("0 0 9 9 re f"),
        ]),
      [40_010],
    ],
  ] as const satisfies readonly (readonly [string, () => Buffer, readonly unknown[], boolean?])[]
).map(([name, content, ends, daily]): HostileDocument => ({
  name,
  extension: "pdf",
  content,
  ends,
  daily: daily === true,
}));
