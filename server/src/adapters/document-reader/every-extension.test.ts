// Every extension that is offered, with a real document of it.
import { EXTENSIONS } from "@plumb/protocol/rules/upload-rules";
import { afterAll, expect, test } from "vitest";
import { ProcessDocumentReader } from "./process-document-reader.ts";
import { doc, ppt, xls } from "./testing/binary-samples.fixture.ts";
import { encoded } from "./testing/encoded.fixture.ts";
import { mobi, ways } from "./testing/mobi-writer.fixture.ts";
import * as office from "./testing/office-samples.fixture.ts";
import { pdf } from "./testing/pdf-writer.fixture.ts";
import { bytesReader } from "./testing/read-bytes.fixture.ts";

const reader = new ProcessDocumentReader();
const { read, close } = bytesReader(reader);
afterAll(close);

const english = "Everyone has the right to life & liberty.";
const chinese = "人人有权享有生命、自由和人身安全。";
const lines = [english, chinese];
const text = `${lines.join("\n")}\n`;
const rows = [
  ["名称", "Amount"],
  ["苹果", "12"],
  ["", "7"],
];
const table = "权利\n名称\tAmount\n苹果\t12\n\t7\n\n";
const markup = `<p>Everyone has the <b>right</b> to life &amp; liberty.</p><script>steal()</script><p>${chinese}</p>`;

/** A document and the text it gives. */
type Sample = readonly [content: Buffer, text: string];

const samples: Readonly<Record<string, Sample>> = {
  pdf: [pdf([[english, chinese], ["Page 2"]]), `${lines.join("\n")}\n\nPage 2\n\n`],
  doc: [doc(lines), text],
  docx: [office.docx(lines), text],
  odt: [office.odt(lines), text],
  rtf: [
    Buffer.from(
      String.raw`{\rtf1\ansi\ansicpg936{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset134 SimSun;}}{\*\generator none;}` +
        String.raw`{\info{\title Not this}}\f0 Everyone has the {\b right} to life & liberty.\par` +
        "\n" +
        [...chinese].map((one) => String.raw`\u${((one.codePointAt(0) ?? 0) << 16) >> 16}?`).join("") +
        String.raw`\par \f1\'c8\'cb\'c8\'cb\par}`,
    ),
    `${text}人人\n`,
  ],
  epub: [office.epub([`<h1>权利</h1>${markup}`, "<p>Page&nbsp;2</p>"]), `权利\n${text}Page 2\n`],
  fb2: [
    encoded(
      `<?xml version="1.0" encoding="gb18030"?><FictionBook><body><title><p>权利</p></title><section><p>${english.replace("&", "&amp;")}</p><p>${chinese}</p></section></body><binary id="a">AAAA</binary></FictionBook>`,
      "gb18030",
    ),
    `权利\n${text}`,
  ],
  svg: [
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg"><style>text{}</style><script>steal()</script><text x="1">${english.replace("&", "&amp;")}</text><g><text><tspan>${chinese}</tspan></text></g></svg>`,
    ),
    text,
  ],
  xls: [
    xls(
      [
        ["名称", "Amount"],
        ["苹果", 12],
        ["", 7],
      ],
      "权利",
    ),
    table,
  ],
  xlsx: [office.xlsx(rows, "权利"), table],
  ods: [office.ods(rows, "权利"), table.trimEnd() + "\n"],
  ppt: [
    ppt(
      [
        { title: english, box: chinese },
        { title: "Two", box: "one\rtwo" },
      ],
      { old: "an earlier save" },
    ),
    `${text}\nTwo\none\ntwo\n\n`,
  ],
  pptx: [office.pptx([lines, ["Two"]], "A note"), `${text}A note\n\nTwo\n\n`],
  odp: [office.odp([lines, ["Two"]]), `${text}\nTwo\n\n`],
  ipynb: [
    Buffer.from(
      JSON.stringify({ cells: [{ cell_type: "markdown", source: lines.map((line) => `${line}\n`) }] }),
    ),
    `${text}\n\n`,
  ],
  mobi: [mobi(`<html><head><guide></guide></head><body>${markup}<mbp:pagebreak/></body></html>`), text],
  azw3: [
    mobi(`<html><body></body></html>${markup}`, {
      version: 8,
      way: ways.dictionary,
      styles: "p { color: red }",
    }),
    text,
  ],
  html: [encoded(`<html><head><meta charset="gbk"></head><body>${markup}</body></html>`, "gb18030"), text],
  htm: [Buffer.from(`<body>${markup}</body>`), text],
  xhtml: [
    Buffer.from(`<?xml version="1.0"?><html><head><script/></head><body>${markup}</body></html>`),
    text,
  ],
};

/** Read in no process of its own kind: what these are is text. */
const encodings = ["utf-8", "gb18030", "utf-16le", "utf-16be"];
const pictures = "png jpg jpeg gif webp bmp apng ico avif".split(" ");

/** The sample of an extension; plain texts come in one encoding after the other. */
function sampleOf(extension: string, index: number): Sample {
  return samples[extension] ?? [encoded(text, encodings[index % encodings.length] ?? "utf-8"), text];
}

const readable = reader.extensions.filter((extension) => !pictures.includes(extension));

test.each(readable.map((extension, index) => [extension, index] as const))(
  "a file called .%s gives its text [FILE-024]",
  async (extension, index) => {
    const [content, expected] = sampleOf(extension, index);
    expect(await read(content, extension)).toBe(expected);
  },
);

test("all that the product knows are offered [FILE-023]", () => {
  expect(reader.extensions).toEqual(EXTENSIONS);
});
