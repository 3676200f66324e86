import { afterAll, describe, expect, test } from "vitest";
import { documentReaderContract } from "./document-reader-contract.ts";
import type { Ending } from "../../platform/isolation/isolated-process.ts";
import { ProcessDocumentReader } from "./process-document-reader.ts";
import { lockedOfficeFile, xls } from "./testing/binary-samples.fixture.ts";
import { encoded } from "./testing/encoded.fixture.ts";
import { docxOfBody, paragraph, xlsx } from "./testing/office-samples.fixture.ts";
import { pdf, pdfInTable, pdfOf, stream } from "./testing/pdf-writer.fixture.ts";
import { bytesReader } from "./testing/read-bytes.fixture.ts";
import { sampleTexts } from "./testing/sample-texts.fixture.ts";

documentReaderContract("a process for each document", () => new ProcessDocumentReader());

const { read, close } = bytesReader(new ProcessDocumentReader());
afterAll(close);

test.each([
  ["simplifiedChinese", "gb18030", "c"],
  ["traditionalChinese", "big5", "csv"],
  ["japanese", "shift_jis", "ini"],
  ["french", "windows-1252", "log"],
  ["german", "utf-16be", "md"],
] as const)("a file in %s and %s is read as it is [FILE-024]", async (language, encoding, extension) => {
  const text = sampleTexts[language];
  expect(await read(encoded(text, encoding), extension)).toBe(text);
});

test(
  "a try gives up on what takes long, and on pictures; what is short it reads",
  { timeout: 60_000 },
  async () => {
    const drawn = (content: string) =>
      pdfOf([
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Count 1/Kids[3 0 R]>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        stream(content),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
      ]);
    expect(await read(drawn(`${"q ".repeat(77_000)}BT /F 12 Tf (slow) Tj ET`), "pdf", true)).toEqual({
      kind: "long",
    });
    expect(await read(drawn("0 0 9 9 re f"), "pdf", true)).toEqual({ kind: "long" });
    expect(await read(drawn("BT /F 12 Tf (quick) Tj ET"), "pdf", true)).toBe("quick\n\n");
  },
);

test("HTML gives what someone would read, in the encoding it names", async () => {
  const page =
    '<!doctype html><html><head><meta charset="gbk"><title>标题</title><style>p { color: red }</style></head><body>' +
    "<script>steal()</script><h1>权利</h1><p>人人 <b>生而</b>&nbsp;自由 &amp;\n平等</p><noscript>no</noscript>" +
    "<table><tr><td>一</td><td>二</td></tr><tr><td>三</td></tr></table><pre>a\n  b</pre></body></html>";
  expect(await read(encoded(page, "gb18030"), "html")).toBe(
    "标题\n权利\n人人 生而 自由 & 平等\n一\t二\n三\na\n  b\n",
  );
});

test("a page that says UTF-8 and is in another encoding is read as what it is; one with a spoiled place is not", async () => {
  const page = (text: string) => `<!doctype html><meta charset="utf-8"><p>${text}</p>`;
  const chinese = sampleTexts.simplifiedChinese;
  const found = await read(encoded(page(chinese), "gb18030"), "html");
  expect(found).toContain("人人生而自由");
  expect(found).not.toContain("\ufffd");
  expect(await read(encoded(page("a café"), "windows-1252"), "html")).toBe("a café\n");
  const spoiled = Buffer.concat([
    Buffer.from(page(chinese)),
    Buffer.from([0xff]),
    Buffer.from("<p>more</p>"),
  ]);
  expect(await read(spoiled, "html")).toContain("人人生而自由");
});

test.each(["html", "txt", "csv"])("a .%s in ISO-2022-JP is read as it is", async (extension) => {
  const words = Buffer.from("1b2442467c4b5c386c1b2842", "hex");
  const start = extension === "html" ? '<meta charset="iso-2022-jp"><p>' : "";
  expect(await read(Buffer.concat([Buffer.from(start), words]), extension)).toBe(
    extension === "html" ? "日本語\n" : "日本語",
  );
});

test.each(["gb18030", "shift_jis"])(
  "characters in %s that come after much ASCII are read as they are",
  async (encoding) => {
    const ascii = `${"-".repeat(79)}\n`.repeat(1700);
    const text = encoding === "gb18030" ? sampleTexts.simplifiedChinese : sampleTexts.japanese;
    expect(await read(encoded(`${ascii}${text}`, encoding), "log")).toBe(`${ascii}${text}`);
  },
);

test("what was moved in a Word document, or taken out, while changes are tracked is read where it is now", async () => {
  const run = (text: string, tag = "t") => `<w:r><w:${tag}>${text}</w:${tag}></w:r>`;
  const body =
    `<w:p><w:moveFrom w:id="1">${run("moved ")}</w:moveFrom>${run("first")}<w:del w:id="2">${run(" gone", "delText")}</w:del></w:p>` +
    `<w:p><w:pPr><w:rPr><w:moveTo w:id="3"/></w:rPr></w:pPr><w:moveTo w:id="3">${run("moved ")}</w:moveTo><w:ins w:id="4">${run("last")}</w:ins></w:p>`;
  expect(await read(docxOfBody(body), "docx")).toBe("first\nmoved last\n");
});

test("hours that go on beyond a day are no date: 40 hours of a week are 40 hours", async () => {
  const rows = [
    ["Mon", "0.3125h"],
    ["Week", "1.6666666666666667h"],
    ["Since", "45292d"],
  ];
  const text = "Sheet 1\nMon\t07:30:00\nWeek\t40:00:00\nSince\t2024-01-01\n\n";
  expect(await read(xlsx(rows), "xlsx")).toBe(text);
  const cell = (v: number, z: string) => ({ t: "n" as const, v, z });
  const old = [
    ["Mon", cell(0.3125, "[h]:mm")],
    ["Week", cell(40 / 24, "[hh]:mm:ss")],
    ["Since", cell(45_292, "yyyy-mm-dd")],
  ];
  expect(await read(xls(old), "xls")).toBe(text);
});

test("where a Word document has places for tabs, and none is written, there are none", async () => {
  const stops =
    '<w:pPr><w:tabs><w:tab w:val="left" w:pos="720"/><w:tab w:val="right" w:pos="9350"/></w:tabs></w:pPr>';
  const body = `<w:p>${stops}<w:r><w:t>1</w:t><w:tab/><w:t>Chapter</w:t></w:r></w:p><w:p>${stops}<w:r><w:t>End</w:t></w:r></w:p>`;
  expect(await read(docxOfBody(body), "docx")).toBe("1\tChapter\nEnd\n");
});

test("a notebook gives its cells and what they printed", async () => {
  const cells = [
    { cell_type: "markdown", source: ["# Sum\n", "of two"] },
    { cell_type: "code", source: "1 + 1", outputs: [{ data: { "text/plain": ["2"], "image/png": "AAAA" } }] },
  ];
  expect(await read(Buffer.from(JSON.stringify({ cells })), "ipynb")).toBe(
    "# Sum\nof two\n\n```\n1 + 1\n```\n2\n\n",
  );
});

test.each([
  ["a program", Buffer.from("\x7fELF\x02\x01\x01"), "txt", 40_008],
  ["a picture", Buffer.from("89504e470d0a1a0a0000", "hex"), "py", 40_008],
  [
    "bytes of nothing",
    Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * at * 31 + (at >> 3)) & 255)),
    "csv",
    40_006,
  ],
  ["a notebook cut short", Buffer.from('{"cells": ['), "ipynb", 40_003],
  ["a page of nothing but a script", Buffer.from("<script>1</script>"), "html", 40_000],
] as const)("%s is no text", async (_, content, extension, errorCode) => {
  expect(await read(content, extension)).toEqual({ kind: "failed", errorCode });
});

test("a Word table gives a line for each row, footnotes follow, alternatives are read once", async () => {
  const cell = (...texts: string[]) => `<w:tc>${texts.map(paragraph).join("")}</w:tc>`;
  const body =
    paragraph("Before") +
    `<w:tbl><w:tr>${cell("a", "b")}${cell("c")}</w:tr><w:tr>${cell("d")}${cell("")}${cell("f")}</w:tr></w:tbl>` +
    "<w:p><mc:AlternateContent><mc:Choice><w:r><w:t>drawn</w:t></w:r></mc:Choice><mc:Fallback><w:r><w:t>drawn</w:t></w:r></mc:Fallback></mc:AlternateContent></w:p>" +
    paragraph("After");
  const footnotes = `<w:footnotes>${paragraph("A note")}</w:footnotes>`;
  expect(await read(docxOfBody(body, { "word/footnotes.xml": footnotes }), "docx")).toBe(
    "Before\na b\tc\nd\t\tf\ndrawn\nAfter\nA note\n",
  );
});

test.each(["docx", "xlsx", "pptx", "doc", "xls", "ppt"])(
  "a locked .%s asks for its password",
  async (extension) => {
    expect(await read(lockedOfficeFile(), extension)).toEqual({ kind: "failed", errorCode: 40_004 });
  },
);

test("a PDF that names radicals where ideographs are printed gives ideographs", async () => {
  const printed = pdf([["第\u2f06\u2eda：甲\u2f04丙丁，\u2ed3\u2edb\u2ed4\u2f5a", "plain 文字"]]);
  expect(await read(printed, "pdf")).toBe("第二页：甲乙丙丁，长风门片\nplain 文字\n\n");
});

test("a picture of a scan in a PDF is not an empty document", async () => {
  const page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R>>";
  const scan = pdfOf([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Count 1/Kids[3 0 R]>>",
    page,
    stream("0 0 50 50 re f"),
  ]);
  expect(await read(scan, "pdf")).toEqual({ kind: "failed", errorCode: 40_010 });
});

test.each([
  ["GBK-EUC-H", "gb18030"],
  ["UniGB-UCS2-H", "utf-16be"],
] as const)("a PDF in %s, whose table it does not bring, gives its Chinese", async (table, encoding) => {
  expect(await read(pdfInTable(table, encoded("人人生而自由", encoding)), "pdf")).toBe("人人生而自由\n\n");
});

describe("when words in pictures are looked for in vain", () => {
  const page = (content: number) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents ${content} 0 R/Resources<</Font<</F 7 0 R>>>>>>`;
  const blank = stream("0 0 50 50 re f");
  const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";
  const pdfOfPages = (first: Buffer) =>
    pdfOf([
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>",
      page(5),
      page(6),
      first,
      blank,
      font,
    ]);

  test.each<[string, Ending, number]>([
    ["takes too long", "time", 50_401],
    ["takes too much memory", "memory", 50_202],
    ["crashes", "crashed", 50_201],
    ["finds none", { status: 64 }, 40_002],
  ])("a scan says so when that %s; a document with text besides keeps it", async (_, ending, errorCode) => {
    const pictures = { state: async () => "installed" as const, read: async () => ending };
    const { read: readHere, close: closeHere } = bytesReader(new ProcessDocumentReader({ pictures }));
    expect(await readHere(pdfOfPages(blank), "pdf")).toEqual({ kind: "failed", errorCode });
    expect(await readHere(pdfOfPages(stream("BT /F 12 Tf (right) Tj ET")), "pdf")).toBe("right\n\n");
    await closeHere();
  });
});
