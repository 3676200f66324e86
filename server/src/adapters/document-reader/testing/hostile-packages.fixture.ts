// Hostile documents that are zips: bombs, nests, names that lead out, locks, XML that grows.
import { deflatedBomb } from "./bombs.fixture.ts";
import type { HostileDocument } from "./hostile-document.fixture.ts";
import { docx, docxOfBody, epub, odp, ods, odt, paragraph, pptx, xlsx } from "./office-samples.fixture.ts";
import { zip, type ZipPart } from "./zip-writer.fixture.ts";

const megabyte = 1_000_000;
const laughs =
  '<!DOCTYPE lolz [<!ENTITY lol "lol">' +
  Array.from({ length: 9 }, (_, at) => {
    const from = at === 0 ? "lol" : `lol${at}`;
    return `<!ENTITY lol${at + 1} "${`&${from};`.repeat(10)}">`;
  }).join("") +
  "]>";
const outside = '<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd">]>';

const packages: Readonly<Record<string, () => Buffer>> = {
  docx: () => docx(["right", "权利"]),
  xlsx: () => xlsx([["right", "12"]]),
  pptx: () => pptx([["right"]], "note"),
  odt: () => odt(["right"]),
  ods: () => ods([["right"]]),
  odp: () => odp([["right"]]),
  epub: () => epub(["<p>right</p>"]),
};

/** The part that holds the text of each format. */
const mainParts: Readonly<Record<string, string>> = {
  docx: "word/document.xml",
  xlsx: "xl/workbook.xml",
  pptx: "ppt/presentation.xml",
  odt: "content.xml",
  ods: "content.xml",
  odp: "content.xml",
  epub: "META-INF/container.xml",
};

/** A package whose only part is this one. */
const packageOf = (extension: string, part: Omit<ZipPart, "name">) =>
  zip([{ name: mainParts[extension] ?? "", ...part }]);

const everyPackage = (
  make: (extension: string, sample: () => Buffer) => HostileDocument,
): HostileDocument[] => Object.entries(packages).map(([extension, sample]) => make(extension, sample));

const bombs: HostileDocument[] = [
  {
    name: "a docx whose text unpacks to 4 GB of elements",
    extension: "docx",
    content: () =>
      packageOf("docx", {
        content: "",
        deflated: deflatedBomb("<w:r/>", 4000 * megabyte, { start: "<w:document>" }),
      }),
    ends: [40_003, 40_007],
  },
  {
    name: "a docx whose text unpacks to 1 GB of elements",
    extension: "docx",
    content: () =>
      packageOf("docx", {
        content: "",
        deflated: deflatedBomb("<w:r/>", 1000 * megabyte, { start: "<w:document>" }),
      }),
    ends: [40_007],
  },
  {
    name: "a docx that unpacks to 1 GB of words",
    extension: "docx",
    content: () =>
      packageOf("docx", {
        content: "",
        deflated: deflatedBomb("<w:p><w:r><w:t>word </w:t></w:r></w:p>", 1000 * megabyte),
      }),
    ends: ["too-long"],
    daily: true,
  },
  {
    name: "an odt of 1 GB of white space",
    extension: "odt",
    content: () =>
      packageOf("odt", { content: "", deflated: deflatedBomb(" ", 1000 * megabyte, { start: "<a>" }) }),
    ends: [40_007],
  },
  {
    name: "an xlsx whose shared texts are 1 GB",
    extension: "xlsx",
    content: () =>
      zip([
        {
          name: "xl/workbook.xml",
          content: '<workbook><sheets><sheet name="a" r:id="rId1"/></sheets></workbook>',
        },
        {
          name: "xl/_rels/workbook.xml.rels",
          content:
            '<Relationships><Relationship Id="rId2" Type="a/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
        },
        {
          name: "xl/sharedStrings.xml",
          content: "",
          deflated: deflatedBomb("<si><t>some text of a cell</t></si>", 1000 * megabyte, { start: "<sst>" }),
        },
      ]),
    ends: [40_007, 50_202],
  },
  {
    name: "an xlsx whose one text is 1 GB",
    extension: "xlsx",
    content: () =>
      zip([
        { name: "xl/workbook.xml", content: "<workbook/>" },
        {
          name: "xl/_rels/workbook.xml.rels",
          content:
            '<Relationships><Relationship Id="rId2" Type="a/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
        },
        {
          name: "xl/sharedStrings.xml",
          content: "",
          deflated: deflatedBomb("x", 1000 * megabyte, { start: "<sst><si><t>" }),
        },
      ]),
    ends: [40_007, 50_202],
    daily: true,
  },
  {
    name: "an epub page of 1 GB in one tag",
    extension: "epub",
    content: () =>
      zip([
        { name: "META-INF/container.xml", content: '<container><rootfile full-path="a.opf"/></container>' },
        { name: "a.opf", content: '<package><item id="a" href="a.html"/><itemref idref="a"/></package>' },
        { name: "a.html", content: "", deflated: deflatedBomb("a='b' ", 1000 * megabyte, { start: "<p " }) },
      ]),
    ends: [40_007, 50_202],
  },
  {
    name: "an odt with one attribute of 1 GB",
    extension: "odt",
    content: () =>
      packageOf("odt", { content: "", deflated: deflatedBomb("x", 1000 * megabyte, { start: '<a b="' }) }),
    ends: [40_007, 50_202],
  },
  {
    name: "a part that says it is small and unpacks to 1 GB",
    extension: "docx",
    content: () => {
      const bomb = deflatedBomb("<w:r/>", 1000 * megabyte);
      return packageOf("docx", { content: "", deflated: { bytes: bomb.bytes, size: 100 } });
    },
    ends: [40_003],
  },
  {
    name: "a presentation whose 5,000 slides are one file of 1 MB",
    extension: "pptx",
    content: () => {
      const ids = Array.from({ length: 5000 }, (_, at) => at);
      return zip([
        {
          name: "ppt/presentation.xml",
          content: `<p>${ids.map((id) => `<p:sldId r:id="r${id}"/>`).join("")}</p>`,
        },
        {
          name: "ppt/_rels/presentation.xml.rels",
          content: `<a>${ids.map((id) => `<Relationship Id="r${id}" Type="a/slide" Target="slide.xml"/>`).join("")}</a>`,
        },
        { name: "ppt/slide.xml", content: "<a:p><b/></a:p>".repeat(70_000) },
      ]);
    },
    ends: [40_007],
  },
  {
    name: "an epub that names one page 100,000 times",
    extension: "epub",
    content: () =>
      epub(["<p>right</p>"], {
        "OEBPS/content.opf": `<package><item id="a" href="text%200.xhtml"/>${'<itemref idref="a"/>'.repeat(100_000)}</package>`,
      }),
    ends: ["text"],
  },
  {
    name: "a sheet with a row of 16,384 cells and a million empty rows",
    extension: "ods",
    content: () =>
      packageOf("ods", {
        content:
          '<table:table table:name="a"><table:table-row table:number-rows-repeated="1048576"><table:table-cell ' +
          'table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
      }),
    ends: ["text", "too-long"],
    daily: true,
  },
];

const archives: HostileDocument[] = [
  {
    name: "30,000 parts",
    extension: "docx",
    content: () => zip(Array.from({ length: 30_000 }, (_, at) => ({ name: `word/${at}.xml`, content: "" }))),
    ends: [40_007],
    daily: true,
  },
  {
    name: "zips in zips, 20 deep",
    extension: "docx",
    content: () => {
      let inner: Buffer = docx(["right"]);
      for (let depth = 0; depth < 20; depth += 1)
        inner = zip([{ name: "word/document.docx", content: inner }]);
      return inner;
    },
    ends: [40_003],
    daily: true,
  },
  {
    name: "a zip in the place of the text",
    extension: "docx",
    content: () => packageOf("docx", { content: docx(["right"]) }),
    ends: [40_000, 40_009],
  },
  ...["../../../../etc/cron.d/harm", "/etc/passwd", "C:\\Windows\\harm.dll", "word/../../harm"].map(
    (name): HostileDocument => ({
      name: `a part called ${name}`,
      extension: "docx",
      content: () =>
        zip([
          { name, content: "harm" },
          { name: "word/document.xml", content: "<w:p/>" },
        ]),
      ends: [40_003],
      daily: name.startsWith(".."),
    }),
  ),
  {
    name: "a part with a name of 60,000 letters",
    extension: "odt",
    content: () =>
      zip([
        { name: "x".repeat(60_000), content: "" },
        { name: "content.xml", content: "<text:p>right</text:p>" },
      ]),
    ends: ["text"],
  },
  {
    name: "two parts of one name",
    extension: "odt",
    content: () =>
      zip([
        { name: "content.xml", content: "<text:p>one</text:p>" },
        { name: "content.xml", content: "<text:p>two</text:p>" },
      ]),
    ends: ["text"],
  },
  {
    name: "relations that lead around in a circle and out of the package",
    extension: "docx",
    content: () =>
      docxOfBody(paragraph("right"), {
        "word/_rels/document.xml.rels":
          '<a><Relationship Id="1" Type="a/footnotes" Target="document.xml"/><Relationship Id="2" Type="a/header" Target="../../../../etc/passwd"/>' +
          '<Relationship Id="3" Type="a/header" Target="http://127.0.0.1/harm" TargetMode="External"/></a>',
      }),
    ends: ["text"],
    daily: true,
  },
  ...everyPackage((extension, sample) => ({
    name: `a ${extension} cut in half`,
    extension,
    content: () => sample().subarray(0, 200),
    ends: [40_003],
    daily: extension === "docx",
  })),
  ...everyPackage((extension) => ({
    name: `a ${extension} of nothing but a foreign part`,
    extension,
    content: () => zip([{ name: "hello.txt", content: "hello" }]),
    ends: [40_003],
  })),
  ...everyPackage((extension) => ({
    name: `a ${extension} with a locked part`,
    extension,
    content: () => packageOf(extension, { content: "locked", flags: 1 }),
    ends: [40_004],
    daily: extension === "epub",
  })),
  {
    name: "an odt with a password",
    extension: "odt",
    content: () =>
      zip([
        {
          name: "META-INF/manifest.xml",
          content: "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>",
        },
        { name: "content.xml", content: "scrambled" },
      ]),
    ends: [40_004],
  },
  {
    name: "a book that needs a licence",
    extension: "epub",
    content: () =>
      epub(["scrambled"], {
        "META-INF/encryption.xml": '<enc:CipherReference URI="OEBPS/text%200.xhtml"/>',
      }),
    ends: [40_004],
  },
];

const trees: HostileDocument[] = [
  ...everyPackage((extension) => ({
    name: `a ${extension} of a billion laughs`,
    extension,
    content: () => packageOf(extension, { content: `${laughs}<a>&lol9;</a>` }),
    ends: [40_003],
    daily: extension === "docx",
  })),
  ...everyPackage((extension) => ({
    name: `a ${extension} that names a file of the server`,
    extension,
    content: () => packageOf(extension, { content: `${outside}<a>&file;</a>` }),
    ends: [40_003],
    daily: extension === "odt",
  })),
  {
    name: "a docx nested a million deep",
    extension: "docx",
    content: () => packageOf("docx", { content: "<w:p>".repeat(1_000_000) }),
    ends: [40_007],
    daily: true,
  },
  {
    name: "a docx of a million attributes",
    extension: "docx",
    content: () =>
      packageOf("docx", {
        content: `<w:p ${Array.from({ length: 1_000_000 }, (_, at) => `a${at}=""`).join(" ")}/>`,
      }),
    ends: [40_000, 40_009, 40_007],
  },
  {
    name: "a docx with __proto__ for a name",
    extension: "docx",
    content: () =>
      packageOf("docx", { content: '<w:p __proto__="x" constructor="y"><__proto__/><w:t>right</w:t></w:p>' }),
    ends: ["text"],
  },
];

export const hostilePackages: readonly HostileDocument[] = [...bombs, ...archives, ...trees];
