// What a workbook holds, as somebody sees it in its cells.
import { afterAll, expect, test } from "vitest";
import { ProcessDocumentReader } from "./process-document-reader.ts";
import { xls } from "./testing/binary-samples.fixture.ts";
import { xlsxOfRows } from "./testing/office-samples.fixture.ts";
import { bytesReader } from "./testing/read-bytes.fixture.ts";

const { read, close } = bytesReader(new ProcessDocumentReader());
afterAll(close);

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

type Shown = readonly [value: number, format: string | number, shown: string];

/** A row of numbers, each in its format; a number is one that is built in. */
function workbook(cells: readonly Shown[], options = {}): Buffer {
  const own = cells.flatMap(([, format], at) =>
    typeof format === "string" ? [`<numFmt numFmtId="${164 + at}" formatCode="${escaped(format)}"/>`] : [],
  );
  const styles = cells.map(
    ([, format], at) => `<xf numFmtId="${typeof format === "string" ? 164 + at : format}"/>`,
  );
  const row = cells.map(([value], at) => `<c s="${at}"><v>${value}</v></c>`);
  const styleSheet = `<styleSheet><numFmts>${own.join("")}</numFmts><cellXfs>${styles.join("")}</cellXfs></styleSheet>`;
  return xlsxOfRows(`<row>${row.join("")}</row>`, { "xl/styles.xml": styleSheet }, options);
}

const lineOf = (cells: readonly Shown[]) => `Sheet 1\n${cells.map(([, , shown]) => shown).join("\t")}\n\n`;

const own: readonly Shown[] = [
  [0.125, "0.0%", "12.5%"],
  [0.07, "0%;[Red]-0%", "7%"],
  [1, "000000", "000001"],
  [501, "00000\\-0000", "000000501"],
  [12, '0"%"', "12"],
  // Spaces as wide as the letters of a currency.
  [1234.5, "#,##0.00\\ _D_M;[Red]\\-#,##0.00\\ _D_M", "1234.5"],
  [9, "_-* #,##0_m_k_-", "9"],
  [45_292, "yyyy\\-mm\\-dd", "2024-01-01"],
];

test("percentages, codes with zeros in front and sums in a currency are read as what they are, in .xlsx and .xls", async () => {
  expect(await read(workbook(own), "xlsx")).toBe(lineOf(own));
  const old = [own.map(([v, z]) => ({ t: "n" as const, v, z: String(z) }))];
  expect(await read(xls(old), "xls")).toBe(lineOf(own));
});

test("the dates that the Chinese, Japanese and Korean editions have of their own are dates, percentages without a format of their own percentages", async () => {
  const cells: readonly Shown[] = [
    ...[27, 28, 29, 30, 31, 36, 50, 54, 57, 58].map((id): Shown => [45_292, id, "2024-01-01"]),
    [0.5, 32, "12:00:00"],
    [0.5, 9, "50%"],
    [0.005, 10, "0.5%"],
  ];
  expect(await read(workbook(cells), "xlsx")).toBe(lineOf(cells));
});

test("an .xls whose dates have the format of an East Asian edition gives dates", async () => {
  const bytes = xls([[{ t: "n", v: 45_292, z: "m/d/yy" }, 7]]);
  // Records of formats: 20 bytes, the font, the format.
  let changed = 0;
  for (let at = bytes.indexOf("e0001400", 0, "hex"); at >= 0; at = bytes.indexOf("e0001400", at + 1, "hex")) {
    if (bytes.readUInt16LE(at + 6) !== 14) continue;
    bytes.writeUInt16LE(31, at + 6);
    changed += 1;
  }
  expect(changed).toBe(1);
  expect(await read(bytes, "xls")).toBe("Sheet 1\n2024-01-01\t7\n\n");
});

test("a time of a workbook whose days begin with 1904 has no day", async () => {
  const cells: readonly Shown[] = [
    [0.5, 20, "12:00:00"],
    [43_830, 14, "2024-01-01"],
  ];
  expect(await read(workbook(cells, { from1904: true }), "xlsx")).toBe(lineOf(cells));
});

test("characters that a workbook writes by their number are read as characters, readings of a cell are left out", async () => {
  const rows =
    '<row><c t="inlineStr"><is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is></c>' +
    '<c t="str"><v>one_x000D_</v></c><c t="s"><v>0</v></c></row>';
  const strings = "<sst><si><t>two_x000D_\nthree _x005F_x000D_</t></si></sst>";
  expect(await read(xlsxOfRows(rows, { "xl/sharedStrings.xml": strings }), "xlsx")).toBe(
    "Sheet 1\n東京\tone\ttwo three _x000D_\n\n",
  );
});

test("a formula that no program has worked out yet is read as it stands; one that gives a text of nothing is empty", async () => {
  const rows =
    '<row><c><v>2</v></c><c><v>3</v></c><c><f>SUM(A1:B1)</f><v></v></c><c><f>A1&amp;"x"</f></c></row>' +
    '<row><c><f>A1*2</f><v>4</v></c><c t="str"><f>IF(A1=2,"")</f><v></v></c><c><v>5</v></c></row>';
  expect(await read(xlsxOfRows(rows), "xlsx")).toBe('Sheet 1\n2\t3\t=SUM(A1:B1)\t=A1&"x"\n4\t\t5\n\n');
});

test("the words of what is drawn on a sheet follow it", async () => {
  const relation =
    '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/drawing" Target="../drawings/drawing1.xml"/></Relationships>';
  const parts = {
    "xl/worksheets/_rels/sheet1.xml.rels": relation,
    "xl/drawings/drawing1.xml":
      "<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>Read me first</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>",
  };
  expect(await read(xlsxOfRows("<row><c><v>2</v></c></row>", parts), "xlsx")).toBe(
    "Sheet 1\n2\nRead me first\n\n",
  );
});
