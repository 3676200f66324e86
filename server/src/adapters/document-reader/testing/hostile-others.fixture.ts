// Hostile documents of the formats that are neither zips nor PDFs, and those that are not what they say.
import { doc, lockedOfficeFile, ppt, xls } from "./binary-samples.fixture.ts";
import type { HostileDocument } from "./hostile-document.fixture.ts";
import { docx } from "./office-samples.fixture.ts";
import { pdf } from "./pdf-writer.fixture.ts";
import { zipOf } from "./zip-writer.fixture.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

/** A PNG that says how large it is and holds nothing. */
function emptyPng(width: number, height: number): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width);
  size.writeUInt32BE(height, 4);
  const end = Buffer.from("0000000049454e44ae426082", "hex");
  return Buffer.concat([png, size, Buffer.from("0802000000", "hex"), Buffer.alloc(4), end]);
}

/** A sample with some bytes overwritten. */
const spoiled = (sample: Buffer, at: number, ...bytes: readonly number[]): Buffer => {
  const copy = Buffer.from(sample);
  copy.set(bytes, at);
  return copy;
};

type Row = readonly [
  name: string,
  extension: string,
  content: () => Buffer,
  ends: HostileDocument["ends"],
  daily?: boolean,
];

const old = {
  doc: () => doc(["right"]),
  xls: () => xls([["right"]]),
  ppt: () => ppt([{ title: "right", box: "" }]),
};
const oldExtensions = ["doc", "xls", "ppt"] as const;

const compounds: readonly Row[] = [
  ...oldExtensions.flatMap((extension): Row[] => [
    [`a ${extension} cut to its head`, extension, () => old[extension]().subarray(0, 512), [40_003, 40_008]],
    [
      `a ${extension} cut in half`,
      extension,
      () => old[extension]().subarray(0, 2000),
      [40_003, 40_008],
      extension === "doc",
    ],
    [
      `a ${extension} whose sectors follow each other in a circle`,
      extension,
      () => spoiled(old[extension](), 512, ...Array.from({ length: 400 }, (_, at) => (at % 4 === 0 ? 1 : 0))),
      [40_003, 40_007, 40_008, 50_202, 50_400, "text"],
      extension === "xls",
    ],
    [
      `a ${extension} with sectors of 2 GB`,
      extension,
      () => spoiled(old[extension](), 30, 31, 0),
      [40_003, 40_008, 50_202],
    ],
    [
      `a ${extension} that is another of them`,
      extension,
      old[extension === "doc" ? "xls" : "doc"],
      [40_008],
      extension === "ppt",
    ],
    [`a ${extension} put into a lock`, extension, lockedOfficeFile, [40_004]],
  ]),
  ["a doc with a password", "doc", () => doc(["right"], { encrypted: true }), [40_004], true],
  ["a ppt with a password", "ppt", () => ppt([{ title: "right", box: "" }], { encrypted: true }), [40_004]],
];

const texts: readonly Row[] = [
  ["100 MB in one line", "txt", () => Buffer.alloc(100_000_000, 0x61), ["too-long"], true],
  ["50 MB of blanks", "log", () => Buffer.alloc(50_000_000, 0x20), ["too-long"]],
  ["zeros", "csv", () => Buffer.alloc(1_000_000), [40_006, 40_008, 40_009], true],
  ["halves of pairs in UTF-16", "txt", () => Buffer.from("fffe" + "00d8".repeat(1000), "hex"), ["text"]],
  [
    "bytes of no encoding",
    "py",
    () => Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * at * 31 + (at >> 3) * 7) & 255)),
    [40_006],
  ],
  ["a notebook of brackets", "ipynb", () => Buffer.from("[".repeat(5_000_000)), [40_003, 40_007], true],
  [
    "a notebook with __proto__ for a cell",
    "ipynb",
    () => Buffer.from('{"cells":[{"__proto__":{"cell_type":"code"},"source":"right"}]}'),
    ["text"],
  ],
  [
    "HTML nested a million deep",
    "html",
    () => Buffer.from(`${"<div>".repeat(1_000_000)}right`),
    ["text", 40_007],
    true,
  ],
  [
    "HTML of one tag of 50 MB",
    "html",
    () => Buffer.from(`<p ${"a ".repeat(25_000_000)}`),
    [40_000, 40_009, 50_202],
  ],
  [
    "HTML that never ends its comment",
    "htm",
    () => Buffer.from(`right<!--${"-".repeat(10_000_000)}`),
    ["text"],
  ],
  [
    "HTML with entities without end",
    "xhtml",
    () => Buffer.from(`<p>${"&#x110000;&nope;&#0;".repeat(1000)}</p>`),
    ["text"],
  ],
  [
    "an SVG of a billion laughs",
    "svg",
    () =>
      Buffer.from(
        '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><svg><text>&b;</text></svg>',
      ),
    ["text"],
    true,
  ],
  [
    "a FictionBook that names a file of the server",
    "fb2",
    () =>
      Buffer.from(
        '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><FictionBook><p>&f;</p></FictionBook>',
      ),
    ["text"],
  ],
  [
    "a page that names a file of the server",
    "xhtml",
    () => Buffer.from('<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><html><p>&f;</p></html>'),
    ["text"],
  ],
  ["RTF nested a million deep", "rtf", () => Buffer.from(`{\\rtf1${"{".repeat(1_000_000)}`), [40_007], true],
  ["RTF that skips 2 GB", "rtf", () => Buffer.from("{\\rtf1\\bin2147483647 right}"), [40_003]],
  ["RTF cut short", "rtf", () => Buffer.from("{\\rtf1 right"), [40_003]],
  [
    "RTF of a million characters by number",
    "rtf",
    () => Buffer.from(`{\\rtf1${"\\u-10179?\\u-8960?".repeat(500_000)}}`),
    ["text", "too-long"],
  ],
  [
    "RTF with a number of 10,000 digits",
    "rtf",
    () => Buffer.from(`{\\rtf1\\u${"9".repeat(10_000)} right}`),
    ["text"],
  ],
];

const emptyOf = "pdf docx xlsx pptx odt epub doc xls ppt rtf html txt ipynb png svg fb2".split(" ");
const notPng = "pdf docx xlsx pptx odt ods odp epub doc xls ppt rtf txt html py csv svg fb2 json".split(" ");

const disguises: readonly Row[] = [
  ...emptyOf.map((extension): Row => [
    `an empty ${extension}`,
    extension,
    () => Buffer.alloc(0),
    [40_000],
    extension === "pdf",
  ]),
  ...notPng.map((extension): Row => [
    `a picture called ${extension}`,
    extension,
    () => emptyPng(10, 10),
    [40_008],
    extension === "docx",
  ]),
  [
    "a program called txt",
    "txt",
    () => Buffer.from(`\x7fELF${"\0\x01\x02".repeat(1000)}`, "latin1"),
    [40_008],
    true,
  ],
  ["a text called png", "png", () => Buffer.from("right"), [40_008]],
  ["a PDF called docx", "docx", () => pdf([["right"]]), [40_008]],
  ["a docx called pdf", "pdf", () => docx(["right"]), [40_008]],
  ["a docx called txt", "txt", () => docx(["right"]), [40_008]],
  ["a docx called xlsx", "xlsx", () => docx(["right"]), [40_000, 40_003, 40_009]],
  [
    "a PDF that is a zip, too",
    "pdf",
    () => Buffer.concat([pdf([["right"]]), zipOf({ "word/document.xml": "<w:t>wrong</w:t>" })]),
    ["text"],
    true,
  ],
  [
    "a zip that is a PDF, too",
    "docx",
    () => Buffer.concat([docx(["right"]), pdf([["wrong"]])]),
    ["text", 40_003],
  ],
  [
    "a GIF that is a page, too",
    "html",
    () => Buffer.from("GIF89a/*<script>1</script>*/=1;<p>right</p>"),
    [40_008],
  ],
  [
    "a JPEG that is a zip, too",
    "docx",
    () => Buffer.concat([Buffer.from("ffd8ffe000104a464946", "hex"), docx(["right"])]),
    [40_008],
  ],
  [
    "a page that is a zip, too",
    "html",
    () => Buffer.concat([Buffer.from("<p>right</p><!--"), docx(["wrong"])]),
    [40_006, 40_008, "text"],
  ],
  ["a picture of 50,000 pixels a side", "png", () => emptyPng(50_000, 50_000), [40_010], true],
];

export const hostileOthers: readonly HostileDocument[] = [...compounds, ...texts, ...disguises].map(
  ([name, extension, content, ends, daily]) => ({ name, extension, content, ends, daily: daily === true }),
);
