// Documents of the formats that are zips of XML, as the programs write them, with the text of the caller.
import { zip, zipOf } from "./zip-writer.fixture.ts";

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const officeRelations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packageRelations = "http://schemas.openxmlformats.org/package/2006/relationships";

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

function relations(list: readonly (readonly [id: string, kind: string, target: string])[]): string {
  const rows = list.map(
    ([id, kind, target]) => `<Relationship Id="${id}" Type="${officeRelations}/${kind}" Target="${target}"/>`,
  );
  return `${xml}<Relationships xmlns="${packageRelations}">${rows.join("")}</Relationships>`;
}

const contentTypes = `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`;

/** A Word document whose body, as XML, the caller gives. */
export function docxOfBody(body: string, parts: Readonly<Record<string, string>> = {}): Buffer {
  return zipOf({
    "[Content_Types].xml": contentTypes,
    "_rels/.rels": relations([["rId1", "officeDocument", "word/document.xml"]]),
    "word/_rels/document.xml.rels": relations([
      ["rId1", "footnotes", "footnotes.xml"],
      ["rId2", "header", "header1.xml"],
      ["rId3", "diagramData", "diagrams/data1.xml"],
      ["rId4", "numbering", "numbering.xml"],
      ["rId5", "styles", "styles.xml"],
    ]),
    "word/document.xml": `${xml}<w:document xmlns:w="w" xmlns:mc="mc"><w:body>${body}</w:body></w:document>`,
    ...parts,
  });
}

export const paragraph = (text: string) =>
  `<w:p><w:pPr><w:jc w:val="left"/></w:pPr><w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`;

export function docx(paragraphs: readonly string[]): Buffer {
  return docxOfBody(paragraphs.map(paragraph).join(""));
}

/** A workbook of one sheet; a number with "d" after it is a day, one with "h" a length of time. */
export function xlsx(rows: readonly (readonly string[])[], sheet = "Sheet 1"): Buffer {
  const strings = [...new Set(rows.flat().filter((cell) => !/^[\d.]+[dh]?$/.test(cell)))];
  const cell = (text: string, column: number, row: number): string => {
    const at = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
    if (/^[\d.]+h$/.test(text)) return `<c ${at} s="2"><v>${text.slice(0, -1)}</v></c>`;
    if (/^\d+d$/.test(text)) return `<c ${at} s="1"><v>${text.slice(0, -1)}</v></c>`;
    if (/^\d+$/.test(text)) return `<c ${at}><v>${text}</v></c>`;
    return text === "" ? "" : `<c ${at} t="s"><v>${strings.indexOf(text)}</v></c>`;
  };
  const data = rows.map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((text, column) => cell(text, column, row)).join("")}</row>`,
  );
  return xlsxOfRows(
    data.join(""),
    {
      "xl/styles.xml": `${xml}<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[h]:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
      "xl/sharedStrings.xml": `${xml}<sst>${strings.map((text) => `<si><t>${escaped(text)}</t></si>`).join("")}</sst>`,
    },
    { sheet },
  );
}

/** A workbook of one sheet whose rows, as XML, and further parts the caller gives. */
export function xlsxOfRows(
  rows: string,
  parts: Readonly<Record<string, string>> = {},
  { sheet = "Sheet 1", from1904 = false } = {},
): Buffer {
  return zipOf({
    "[Content_Types].xml": contentTypes,
    "_rels/.rels": relations([["rId1", "officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml": `${xml}<workbook xmlns:r="r"><workbookPr${from1904 ? ' date1904="1"' : ""}/><sheets><sheet name="${escaped(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations([
      ["rId1", "worksheet", "worksheets/sheet1.xml"],
      ["rId2", "sharedStrings", "sharedStrings.xml"],
      ["rId3", "styles", "styles.xml"],
    ]),
    "xl/worksheets/sheet1.xml": `${xml}<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...parts,
  });
}

/** Slides of paragraphs; the first has notes. */
export function pptx(slides: readonly (readonly string[])[], notes: string): Buffer {
  const shape = (paragraphs: readonly string[]) =>
    `<p:sp><p:txBody>${paragraphs.map((text) => `<a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p>`).join("")}</p:txBody></p:sp>`;
  const parts: Record<string, string> = {
    "[Content_Types].xml": contentTypes,
    "_rels/.rels": relations([["rId1", "officeDocument", "ppt/presentation.xml"]]),
    "ppt/presentation.xml": `${xml}<p:presentation><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(
      slides.map((_, at) => [`rId${at + 1}`, "slide", `slides/slide${slides.length - at}.xml`] as const),
    ),
    // The files are numbered against the order of the show.
    [`ppt/slides/_rels/slide${slides.length}.xml.rels`]: relations([
      ["rId1", "notesSlide", "../notesSlides/notesSlide1.xml"],
    ]),
    "ppt/notesSlides/notesSlide1.xml": `${xml}<p:notes>${shape([notes])}</p:notes>`,
  };
  for (const [at, paragraphs] of slides.entries())
    parts[`ppt/slides/slide${slides.length - at}.xml`] = `${xml}<p:sld>${shape(paragraphs)}</p:sld>`;
  return zipOf(parts);
}

/** A presentation of one slide whose shapes, as XML, the caller gives, and a diagram of these texts. */
export function pptxOfSlide(shapes: string, diagram: readonly string[] = []): Buffer {
  return zipOf({
    ...onePart("ppt/presentation.xml"),
    "ppt/presentation.xml": `${xml}<p:presentation><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations([["rId1", "slide", "slides/slide1.xml"]]),
    "ppt/slides/slide1.xml": `${xml}<p:sld>${shapes}</p:sld>`,
    "ppt/slides/_rels/slide1.xml.rels": relations([["rId1", "diagramData", "../diagrams/data1.xml"]]),
    "ppt/diagrams/data1.xml": diagramOf(diagram),
  });
}

/** The texts of a diagram, between points that have none. */
export const diagramOf = (texts: readonly string[]) =>
  `${xml}<dgm:dataModel><dgm:ptLst>${texts
    .map(
      (text) =>
        `<dgm:pt><dgm:prSet phldrT="[Text]"/><dgm:t><a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt type="pres"><dgm:t><a:p><a:endParaRPr/></a:p></dgm:t></dgm:pt>`,
    )
    .join("")}</dgm:ptLst></dgm:dataModel>`;

const onePart = (main: string) => ({
  "[Content_Types].xml": contentTypes,
  "_rels/.rels": relations([["rId1", "officeDocument", main]]),
});

const openDocument = (kind: string, body: string, { styles = "", ownStyles = "" } = {}) =>
  zip([
    { name: "mimetype", content: `application/vnd.oasis.opendocument.${kind}` },
    { name: "META-INF/manifest.xml", content: `${xml}<manifest:manifest/>` },
    {
      name: "content.xml",
      content: `${xml}<office:document-content><office:automatic-styles>${ownStyles}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
    },
    ...(styles === ""
      ? []
      : [
          {
            name: "styles.xml",
            content: `${xml}<office:document-styles><office:styles>${styles}</office:styles></office:document-styles>`,
          },
        ]),
  ]);

const odfParagraph = (text: string) => `<text:p text:style-name="P1">${escaped(text)}</text:p>`;

export function odt(paragraphs: readonly string[]): Buffer {
  return odtOfBody(paragraphs.map(odfParagraph).join(""));
}

/** A text whose body, as XML, the caller gives, and whose styles, of the text alone or of all. */
export function odtOfBody(body: string, styles: { styles?: string; ownStyles?: string } = {}): Buffer {
  return openDocument("text", `<office:text>${body}</office:text>`, styles);
}

/** A table whose rows, as XML, the caller gives. */
export function odsOfRows(rows: string): Buffer {
  return openDocument(
    "spreadsheet",
    `<office:spreadsheet><table:table table:name="Sheet 1">${rows}</table:table></office:spreadsheet>`,
  );
}

export function ods(rows: readonly (readonly string[])[], sheet = "Sheet 1"): Buffer {
  const row = (cells: readonly string[]) =>
    `<table:table-row>${cells
      .map((text) => `<table:table-cell>${text === "" ? "" : odfParagraph(text)}</table:table-cell>`)
      .join("")}<table:table-cell table:number-columns-repeated="16000"/></table:table-row>`;
  const empty = '<table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row>';
  return openDocument(
    "spreadsheet",
    `<office:spreadsheet><table:table table:name="${escaped(sheet)}">${rows.map(row).join("")}${empty}</table:table></office:spreadsheet>`,
  );
}

export function odp(slides: readonly (readonly string[])[]): Buffer {
  const page = (paragraphs: readonly string[]) =>
    `<draw:page><draw:frame><draw:text-box>${paragraphs.map(odfParagraph).join("")}</draw:text-box></draw:frame></draw:page>`;
  return openDocument(
    "presentation",
    `<office:presentation>${slides.map(page).join("")}</office:presentation>`,
  );
}

/** A book of pages whose XHTML bodies the caller gives. */
export function epub(pages: readonly string[], parts: Readonly<Record<string, string>> = {}): Buffer {
  const items = pages.map(
    (_, at) => `<item id="p${at}" href="text%20${at}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const content: Record<string, string> = {
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `${xml}<container><rootfiles><rootfile full-path="OEBPS/content.opf"/></rootfiles></container>`,
    "OEBPS/content.opf": `${xml}<package><manifest>${items.join("")}</manifest><spine>${pages.map((_, at) => `<itemref idref="p${at}"/>`).join("")}</spine></package>`,
  };
  for (const [at, body] of pages.entries())
    content[`OEBPS/text ${at}.xhtml`] =
      `${xml}<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/><style>p{}</style></head><body>${body}</body></html>`;
  return zipOf({ ...content, ...parts });
}
