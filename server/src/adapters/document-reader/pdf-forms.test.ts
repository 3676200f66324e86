// What was written into the form of a PDF and onto its pages.
import { afterAll, expect, test } from "vitest";
import { ProcessDocumentReader } from "./process-document-reader.ts";
import { pdfOf, stream } from "./testing/pdf-writer.fixture.ts";
import { bytesReader } from "./testing/read-bytes.fixture.ts";

const { read, close } = bytesReader(new ProcessDocumentReader());
afterAll(close);

const rect = "/Rect[10 10 90 30]";
const states = "/AP<</N<</Yes 9 0 R/Off 9 0 R>>>>";
const field = (rest: string) => `<</Type/Annot/Subtype/Widget${rect}${rest}>>`;

const annotations = [
  field("/FT/Tx/T(name)/TU(Full name)/V(Ann Li)"),
  field("/FT/Tx/T(empty)"),
  field("/FT/Tx/T(pin)/Ff 8192/V(1234)"),
  field("/FT/Tx/T(unseen)/F 2/V(secret)"),
  field("/FT/Ch/T(city)/Ff 131072/Opt[[(bj)(Beijing)][(sh)(Shanghai)]]/V(sh)"),
  field(`/FT/Btn/T(agree)/V/Yes/AS/Yes${states}`),
  field(`/FT/Btn/T(spam)/V/Off/AS/Off${states}`),
  `<</Type/Annot/Subtype/FreeText${rect}/DA(/Helv 10 Tf)/Contents(typed onto it)>>`,
  `<</Type/Annot/Subtype/Text${rect}/Contents(a remark)>>`,
];

function form(content: string, others = ""): Buffer {
  const first = 7;
  const refs = annotations.map((_, at) => `${first + at + 3} 0 R`).join(" ");
  return pdfOf([
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${refs}]/DR<<>>>>>>`,
    "<</Type/Pages/Count 1/Kids[3 0 R]>>",
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>/Annots[${refs}${others}]>>`,
    stream(content),
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    "null",
    "null",
    "null",
    stream("", "/Type/XObject/Subtype/Form/BBox[0 0 10 10]"),
    ...annotations,
  ]);
}

const written = "typed onto it\nFull name: Ann Li\ncity: Shanghai\nagree: Yes\n\n";

test("a filled form gives what was filled in, after the text of its page", async () => {
  expect(await read(form("BT /F 12 Tf (Application) Tj ET"), "pdf")).toBe(`Application\n\n${written}`);
});

test("a form whose page is a picture gives what was filled in", async () => {
  expect(await read(form("0 0 50 50 re f"), "pdf")).toBe(written);
});

test("what is broken among the fields of a page costs nothing of the page", async () => {
  const others = " 99 0 R (x) null 4 0 R <</Subtype/Widget/FT/Tx/Parent 3 0 R/Rect 7/V 9>> <</Subtype 5>>";
  expect(await read(form("BT /F 12 Tf (Application) Tj ET", others), "pdf")).toBe(
    `Application\n\n${written}`,
  );
});
