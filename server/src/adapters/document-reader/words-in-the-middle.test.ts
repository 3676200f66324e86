// What stands in the middle of a paragraph and is no part of its sentence: notes, text boxes, readings of characters.
import { afterAll, expect, test } from "vitest";
import { ProcessDocumentReader } from "./process-document-reader.ts";
import { doc } from "./testing/binary-samples.fixture.ts";
import { diagramOf, docxOfBody, paragraph, pptxOfSlide } from "./testing/office-samples.fixture.ts";
import { bytesReader } from "./testing/read-bytes.fixture.ts";

const { read, close } = bytesReader(new ProcessDocumentReader());
afterAll(close);

const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

test("a text box of a Word document is parted from the words where it is fixed", async () => {
  const box = `<w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${paragraph("Box")}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${paragraph("Box")}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r>`;
  const text = await read(docxOfBody(`<w:p>${run("Before")}${box}${run("after")}</w:p>`), "docx");
  expect(text).toMatch(/^Before\nBox\n+after\n$/);
  const cell = `<w:tbl><w:tr><w:tc><w:p>${run("Cell")}${box}</w:p></w:tc><w:tc>${paragraph("next")}</w:tc></w:tr></w:tbl>`;
  expect(await read(docxOfBody(cell), "docx")).toBe("Cell Box\tnext\n");
});

test("hyphens that do not break, tabs to a place and diagrams of a Word document are read", async () => {
  const body =
    "<w:p><w:r><w:t>555</w:t><w:noBreakHyphen/><w:t>1234</w:t><w:ptab/><w:t>Page</w:t></w:r></w:p>";
  const diagram = { "word/diagrams/data1.xml": diagramOf(["Plan", "Build"]) };
  expect(await read(docxOfBody(body, diagram), "docx")).toMatch(/^555-1234\tPage\n+Plan\n+Build\n/);
});

test("notes of a Word document have the marks by which its text refers to them", async () => {
  const refer = (kind: string, id: number) => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
  const body = `<w:p>${run("In 2020")}${refer("footnote", 7)}${run(" and")}${refer("endnote", 2)}${run(" later")}${refer("footnote", 3)}</w:p>`;
  const notes = [
    [-1, ""],
    [3, "So did Li."],
    [7, "See Smith."],
  ] as const;
  const footnotes = notes.map(([id, text]) => `<w:footnote w:id="${id}">${paragraph(text)}</w:footnote>`);
  const parts = { "word/footnotes.xml": `<w:footnotes>${footnotes.join("")}</w:footnotes>` };
  expect(await read(docxOfBody(body, parts), "docx")).toMatch(
    /^In 2020\[1\] and\[i\] later\[2\]\n+\[2\] So did Li\.\n\[1\] See Smith\.\n$/,
  );
});

const t = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const formulas: Readonly<Record<string, string>> = {
  "1/2": `<m:f><m:num>${t("1")}</m:num><m:den>${t("2")}</m:den></m:f>`,
  "(a+b)/c": `<m:f><m:fPr><m:ctrlPr><w:rPr/></m:ctrlPr></m:fPr><m:num>${t("a+")}${t("b")}</m:num><m:den>${t("c")}</m:den></m:f>`,
  "x^2": `<m:sSup><m:e>${t("x")}</m:e><m:sup>${t("2")}</m:sup></m:sSup>`,
  "[3]√(x+1)": `<m:rad><m:deg>${t("3")}</m:deg><m:e>${t("x+1")}</m:e></m:rad>`,
  "∑_(i=1)^n i": `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${t("i=1")}</m:sub><m:sup>${t("n")}</m:sup><m:e>${t("i")}</m:e></m:nary>`,
  "[a|b]": `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>${t("a")}</m:e><m:e>${t("b")}</m:e></m:d>`,
  "(a, b; c, d)": `<m:d><m:e><m:m><m:mr><m:e>${t("a")}</m:e><m:e>${t("b")}</m:e></m:mr><m:mr><m:e>${t("c")}</m:e><m:e>${t("d")}</m:e></m:mr></m:m></m:e></m:d>`,
  "lim_(n→∞)sin(x)": `<m:limLow><m:e>${t("lim")}</m:e><m:lim>${t("n→∞")}</m:lim></m:limLow><m:func><m:fName>${t("sin")}</m:fName><m:e>${t("x")}</m:e></m:func>`,
};

test.each(Object.entries(formulas))("a formula is read as %s", async (text, formula) => {
  const math = `<m:oMath>${formula}</m:oMath>`;
  expect(await read(docxOfBody(`<w:p>${run("so ")}${math}${run(".")}</w:p>`), "docx")).toBe(`so ${text}.\n`);
  const slide = `<p:sp><a:p><mc:AlternateContent><mc:Choice><a14:m>${math}</a14:m></mc:Choice><mc:Fallback><a:r><a:t>?</a:t></a:r></mc:Fallback></mc:AlternateContent></a:p></p:sp>`;
  expect(await read(pptxOfSlide(slide), "pptx")).toBe(`${text}\n\n`);
});

test("what was chosen in a form of Word is read", async () => {
  const form = (field: string) =>
    `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${field}</w:ffData></w:fldChar></w:r>`;
  const box = (rest: string) => form(`<w:checkBox><w:sizeAuto/>${rest}</w:checkBox>`);
  const list = (rest: string) =>
    form(`<w:ddList>${rest}<w:listEntry w:val="Monday"/><w:listEntry w:val="Friday"/></w:ddList>`);
  const body =
    `<w:p>${box('<w:default w:val="0"/><w:checked/>')}${run(" Yes ")}${box('<w:default w:val="1"/><w:checked w:val="0"/>')}${run(" No ")}` +
    `${box('<w:default w:val="1"/>')}${run(" on ")}${list('<w:result w:val="1"/>')}${run(" or ")}${list("")}</w:p>`;
  expect(await read(docxOfBody(body), "docx")).toBe("☒ Yes ☐ No ☒ on Friday or Monday\n");
});

test("symbols of a Word document are the characters that they show", async () => {
  const sym = (font: string, char: string) => `<w:r><w:sym w:font="${font}" w:char="${char}"/></w:r>`;
  const body = `<w:p>${run("5 ")}${sym("Symbol", "F06D")}${run("g; ")}${sym("Wingdings", "F0FE")}${run(" Yes ")}${sym("Wingdings", "F0A8")}${run(" No")}</w:p>`;
  expect(await read(docxOfBody(body), "docx")).toBe("5 μg; ☑ Yes ☐ No\n");
});

test("what is typed in a font of symbols is what it shows: an arrow of PowerPoint is no à, a μ of an RTF no m", async () => {
  const typed = (font: string, text: string) =>
    `<w:r><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}"/></w:rPr><w:t>${text}</w:t></w:r>`;
  const word = `<w:p>${run("5 ")}${typed("Symbol", "\uf06d")}${run("g à la")}</w:p>`;
  expect(await read(docxOfBody(word), "docx")).toBe("5 μg à la\n");
  const slide =
    '<p:sp><p:txBody><a:p><a:r><a:t>à la </a:t></a:r><a:r><a:rPr><a:sym typeface="Wingdings"/></a:rPr><a:t>à</a:t></a:r><a:r><a:t> à</a:t></a:r></a:p></p:txBody></p:sp>';
  expect(await read(pptxOfSlide(slide), "pptx")).toBe("à la → à\n\n");
  const fonts = String.raw`{\fonttbl{\f0\fcharset0 Arial;}{\f3\froman\fcharset2{\*\panose 05050102}Symbol;}{\f4\fcharset2 Wingdings;}}`;
  const rtf = String.raw`{\rtf1\ansi${fonts}\f0 5 {\f3 m}g, 7 {\f3\u-3987\'6d}g {\f4\'fe} yes {\f4\plain m}\par}`;
  expect(await read(Buffer.from(rtf), "rtf")).toBe("5 μg, 7 μg ☑ yes m\n");
});

test("a cell of a Word table that stands over several columns keeps the others in their columns", async () => {
  const cell = (text: string, span = "") =>
    `<w:tc><w:tcPr>${span && `<w:gridSpan w:val="${span}"/>`}</w:tcPr>${paragraph(text)}</w:tc>`;
  const table = `<w:tbl><w:tr>${cell("Region")}${cell("2023", "2")}${cell("2024")}</w:tr><w:tr>${cell("North")}${cell("")}${cell("7")}${cell("8")}</w:tr><w:tr>${cell("a", "x")}${cell("b", "1e9")}${cell("c")}</w:tr></w:tbl>`;
  expect(await read(docxOfBody(table), "docx")).toBe(
    `Region\t2023\t\t2024\nNorth\t\t7\t8\na\tb${"\t".repeat(256)}c\n`,
  );
});

test("the reading of a character stands behind it in brackets", async () => {
  const word = `<w:p><w:r><w:ruby><w:rubyPr/><w:rt>${run("かんじ")}</w:rt><w:rubyBase>${run("漢字")}</w:rubyBase></w:ruby></w:r>${run("を読む")}</w:p>`;
  const shown = "漢字（かんじ）を読む\n";
  expect(await read(docxOfBody(word), "docx")).toBe(shown);
  for (const ruby of ["漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp>", "漢字<rt>かんじ"]) {
    const page = `<meta charset="utf-8"><p><ruby>${ruby}</ruby>を読む</p>`;
    expect(await read(Buffer.from(page), "html")).toBe(shown);
  }
});

test("paragraphs in a cell of a slide are parted, empty cells keep their place, a diagram follows its slide", async () => {
  const cell = (...texts: string[]) =>
    `<a:tc><a:txBody>${texts.map((text) => `<a:p>${text && `<a:r><a:t>${text}</a:t></a:r>`}</a:p>`).join("")}</a:txBody></a:tc>`;
  const table = `<a:tbl><a:tr>${cell("one", "two")}${cell("")}${cell("three")}</a:tr></a:tbl>`;
  expect(await read(pptxOfSlide(table, ["Plan", "Build"]), "pptx")).toBe("one two\t\tthree\nPlan\nBuild\n\n");
});

test("an RTF gives its notes apart from the words before, its text boxes, and nothing that was taken out", async () => {
  const rtf =
    String.raw`{\rtf1\ansi{\fonttbl{\f0 Arial;}}In 2020{\super\chftn}{\footnote\pard\plain{\super\chftn}See Smith.}, later` +
    String.raw`{\*\footnote\pard Li.}.\par {\deleted\revauthdel1 gone }kept\deleted  gone\deleted0 , too{\xe{\v Index}}\par` +
    String.raw`{\shp{\*\shpinst\shpleft10{\sp{\sn fLine}{\sv 0}}{\shptxt\pard Box\par}}{\shprslt{\pict 00}}}End\par` +
    String.raw`{\header{\shp{\*\shpinst{\shptxt Letterhead}}}}}`;
  expect(await read(Buffer.from(rtf), "rtf")).toBe(
    "In 2020 [See Smith.], later [Li.].\nkept, too\n\nBox\n\nEnd\n",
  );
});

test("a .doc keeps its quotation marks and dashes", async () => {
  const text = "“引号”——省略……‘it’s’ – yes";
  expect(await read(doc([text]), "doc")).toBe(`${text}\n`);
});
