// Real files of several kinds, small enough to be made here.
import { docx } from "../../server/src/adapters/document-reader/testing/office-samples.fixture.ts";
import { pdf } from "../../server/src/adapters/document-reader/testing/pdf-writer.fixture.ts";
import type { GivenFile } from "./file-transfer.ts";

const text = (name: string, content: string, mimeType = "text/plain"): GivenFile => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
});

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
