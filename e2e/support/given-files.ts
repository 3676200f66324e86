// Real files of several kinds, small enough to be made here.
import { randomBytes } from "node:crypto";
import { docx } from "../../server/src/adapters/document-reader/testing/office-samples.fixture.ts";
import { pdf, pdfOf, stream } from "../../server/src/adapters/document-reader/testing/pdf-writer.fixture.ts";
import type { GivenFile } from "./file-transfer.ts";

const text = (name: string, content: string, mimeType = "text/plain"): GivenFile => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
});

/** A PDF that a browser asks for in parts: what is on the second of its three pages is in the middle, far from all else. */
export function pdfInParts(name: string): GivenFile {
  const far = () => stream(randomBytes(600 * 1024));
  const page = (content: number) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 400]/Resources<</Font<</F 3 0 R>>>>/Contents ${content} 0 R>>`;
  const words = (number: number) => stream(`BT /F 24 Tf 60 300 Td (The fields, page ${number}) Tj ET`);
  const buffer = pdfOf([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Count 3/Kids[4 0 R 5 0 R 6 0 R]>>",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ...[page(7), page(9), page(11)],
    ...[words(1), far(), words(2), far(), words(3)],
  ]);
  return { name, mimeType: "application/pdf", buffer };
}

const months = Array.from({ length: 12 }, (_, at) => `2025-${String(at + 1).padStart(2, "0")}`);

export const givenFiles = {
  pdf: {
    name: "annual harvest report 2025.pdf",
    mimeType: "application/pdf",
    buffer: pdf(
      Array.from({ length: 12 }, (_, page) => [`Harvest report, page ${page + 1}`, "The oats of May."]),
    ),
  },
  docx: {
    name: "letter to the miller.docx",
    mimeType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    buffer: docx(["Dear miller,", "the oats were sown late. 燕麦播种晚了。"]),
  },
  csv: text(
    "产量.csv",
    ["month,crop,tons,remarks", ...months.map((month, at) => `${month},oats,${at * 7},"late, ""wet"""`)]
      .concat(Array.from({ length: 2000 }, (_, at) => `2026-${at},rye,${at},`))
      .join("\n"),
    "text/csv",
  ),
  python: text(
    "yields.py",
    Array.from({ length: 500 }, (_, at) => `def yield_${at}():\n    # field ${at}\n    return ${at}`).join(
      "\n",
    ),
    "text/x-python",
  ),
  notes: text("field notes.md", "# Fields\n\nThe third field is wet.\n"),
  picture: text(
    "field.svg",
    `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><rect width="640" height="480" fill="#8fb3c0"/><text x="40" y="80" font-size="40">Field three</text><script>window.top.hurt = true</script></svg>`,
    "image/svg+xml",
  ),
} as const satisfies Record<string, GivenFile>;
