// The numbers of lists in Word and OpenDocument texts and on slides, which no text of them holds.
import { afterAll, expect, test } from "vitest";
import { ProcessDocumentReader } from "./process-document-reader.ts";
import { docxOfBody, odtOfBody, pptxOfSlide } from "./testing/office-samples.fixture.ts";
import { bytesReader } from "./testing/read-bytes.fixture.ts";

const { read, close } = bytesReader(new ProcessDocumentReader());
afterAll(close);

type Row = readonly [format: string, text: string, more?: string];

const levels = (rows: readonly Row[]) =>
  rows
    .map(
      ([format, text, more = ""], at) =>
        `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/><w:pPr><w:ind w:left="720"/></w:pPr></w:lvl>`,
    )
    .join("");

const numbering = `<w:numbering>
  <w:abstractNum w:abstractNumId="0">${levels([
    ["decimal", "%1.", '<w:pStyle w:val="Heading1"/>'],
    ["decimal", "%1.%2"],
    ["lowerLetter", "(%3)"],
  ])}</w:abstractNum>
  <w:abstractNum w:abstractNumId="1">${levels([["chineseCountingThousand", "第%1条", '<w:suff w:val="nothing"/>']])}</w:abstractNum>
  <w:abstractNum w:abstractNumId="2">${levels([["bullet", "\uf0b7"]])}</w:abstractNum>
  <w:abstractNum w:abstractNumId="3">${levels(Array.from({ length: 11 }, () => ["decimal", "%1."] as const))}</w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
  <w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>
  <w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num>
  <w:num w:numId="4"><w:abstractNumId w:val="2"/></w:num>
  <w:num w:numId="5"><w:abstractNumId w:val="3"/></w:num>
</w:numbering>`;

const styles = `<w:styles>
  <w:style w:type="paragraph" w:styleId="Heading1"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="Chapter"><w:basedOn w:val="Heading1"/></w:style>
</w:styles>`;

const item = (text: string, properties: string) =>
  `<w:p><w:pPr>${properties}</w:pPr>${text === "" ? "" : `<w:r><w:t>${text}</w:t></w:r>`}</w:p>`;
const number = (use: number, level = 0) =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${use}"/></w:numPr>`;

const readBody = async (...items: readonly string[]) =>
  read(docxOfBody(items.join(""), { "word/numbering.xml": numbering, "word/styles.xml": styles }), "docx");

test("levels beyond those that Word has are none", async () => {
  const text = await readBody(
    item("ninth", number(5, 8)),
    item("tenth", number(5, 9)),
    item("odd", number(5, -1)),
  );
  expect(text).toBe("1. ninth\ntenth\nodd\n");
});

test("clauses have their numbers, of themselves and of their styles, and levels begin anew", async () => {
  const text = await readBody(
    item("Scope", '<w:pStyle w:val="Heading1"/>'),
    item("one", number(1, 1)),
    item("two", number(1, 1)),
    item("a", number(1, 2)),
    item("b", number(1, 2)),
    item("Terms", '<w:pStyle w:val="Chapter"/>'),
    item("one", number(1, 1)),
    item("none", `<w:pStyle w:val="Heading1"/>${number(0)}`),
    item("plain", ""),
  );
  expect(text).toBe("1. Scope\n1.1 one\n1.2 two\n(a) a\n(b) b\n2. Terms\n2.1 one\nnone\nplain\n");
});

test("a list that is begun anew counts from where it says, Chinese clauses in Chinese, points have none", async () => {
  const text = await readBody(
    item("one", number(1)),
    item("five", number(2)),
    item("six", number(2)),
    item("甲方", number(3)),
    item("乙方", number(3)),
    item("point", number(4)),
  );
  expect(text).toBe("1. one\n5. five\n6. six\n第一条甲方\n第二条乙方\npoint\n");
});

test("a paragraph that was taken out is not counted, one without words is, and what a paragraph was before a change is not asked", async () => {
  const text = await readBody(
    item("one", number(1)),
    item("", `${number(1)}<w:rPr><w:del w:id="1"/></w:rPr>`),
    item("two", `${number(1)}<w:pPrChange w:id="2"><w:pPr>${number(3)}</w:pPr></w:pPrChange>`),
    item("", number(1)),
    item("four", number(1)),
  );
  expect(text).toMatch(/^1\. one\n+2\. two\n+4\. four\n$/);
});

test("numbering that makes no sense costs nothing of the text", async () => {
  const broken = (use: string) => `<w:numPr><w:ilvl w:val="x"/><w:numId w:val="${use}"/></w:numPr>`;
  expect(await readBody(item("a", broken("99")), item("b", broken("1")), item("c", number(1, 8)))).toBe(
    "a\nb\nc\n",
  );
});

test("numbered steps of a slide have their numbers, by level, anew in each box and after what has none", async () => {
  const step = (text: string, kind = "arabicPeriod", more = "") =>
    `<a:p><a:pPr${more}>${kind && `<a:buAutoNum type="${kind}"/>`}</a:pPr>${text && `<a:r><a:t>${text}</a:t></a:r>`}</a:p>`;
  const box = (...steps: readonly string[]) => `<p:sp><p:txBody>${steps.join("")}</p:txBody></p:sp>`;
  const slide =
    box(
      step("plan"),
      step("ask", "alphaLcParenR", ' lvl="1"'),
      step("write", "alphaLcParenR", ' lvl="1"'),
      step(""),
      step("build"),
      step("pause", ""),
      step("anew"),
    ) + box(step("甲", "ea1ChsPlain"), step("three", "arabicParenBoth").replace("/>", ' startAt="3"/>'));
  expect(await read(pptxOfSlide(slide), "pptx")).toBe(
    "1. plan\na) ask\nb) write\n2. build\npause\n1. anew\n一 甲\n(3) three\n\n",
  );
});

test("lists and headings of an OpenDocument text have their numbers, by level and where a list goes on", async () => {
  const level = (at: number, rest: string) => `<text:list-level-style-number text:level="${at}" ${rest}/>`;
  const ownStyles =
    `<text:list-style style:name="L1">${level(1, 'style:num-format="1" style:num-suffix="."')}${level(2, 'style:num-format="a" style:num-prefix="(" style:num-suffix=")"')}</text:list-style>` +
    '<text:list-style style:name="L2"><text:list-level-style-bullet text:level="1" text:bullet-char="•"/></text:list-style>';
  const styles =
    '<text:outline-style style:name="Outline"><text:outline-level-style text:level="1" style:num-format="一" style:num-suffix="、"/>' +
    '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style>';
  const p = (text: string) => `<text:p>${text}</text:p>`;
  const h = (at: number, text: string) => `<text:h text:outline-level="${at}">${text}</text:h>`;
  const item = (...parts: readonly string[]) => `<text:list-item>${parts.join("")}</text:list-item>`;
  const list = (rest: string, ...items: readonly string[]) =>
    `<text:list ${rest}>${items.join("")}</text:list>`;
  const body =
    h(1, "总则") +
    list(
      'text:style-name="L1" xml:id="x"',
      item(p("one"), p("more"), list("", item(p("a")), item(p("b")))),
      item(p("two")),
    ) +
    h(2, "Scope") +
    list('text:style-name="L2"', item(p("point"))) +
    list('text:style-name="L1" text:continue-list="x"', item(p("three")), item(list("", item(p("a"))))) +
    list('text:style-name="L1"', item(p("anew"))) +
    h(1, "附则") +
    h(2, "End");
  expect(await read(odtOfBody(body, { styles, ownStyles }), "odt")).toBe(
    "一、 总则\n1. one\nmore\n(a) a\n(b) b\n2. two\n一.1 Scope\npoint\n3. three\n(a) a\n1. anew\n二、 附则\n二.1 End\n",
  );
});

test("lists of an RTF have the numbers that it brings for readers who do not count", async () => {
  const old = (number: string, text: string) =>
    String.raw`{\pntext\f0 ${number}.\tab}{\*\pn\pnlvlbody\pnf0\pnstart1\pndec{\pntxta.}}${text}\par `;
  const rtf = String.raw`{\rtf1\ansi ${old("1", "one")}${old("2", "two")}\pard{\listtext\pard\plain a)\tab}three\par}`;
  expect(await read(Buffer.from(rtf), "rtf")).toBe("1.\tone\n2.\ttwo\na)\tthree\n");
});
