// PDF files written object by object.
import { deflateSync } from "node:zlib";

/** A file of these objects, numbered from 1; the first is the catalogue. */
export function pdfOf(objects: readonly (string | Buffer)[], trailer = ""): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n%\u{e2}\u{e3}\n", "latin1")];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    add(Buffer.from(`${index + 1} 0 obj\n`));
    add(Buffer.from(object));
    add(Buffer.from("\nendobj\n"));
  }
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  add(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join("")}`));
  add(
    Buffer.from(
      `trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** A stream object; `dictionary` holds what stands beside its length. */
export function stream(content: Buffer | string, dictionary = "", packed = false): Buffer {
  const bytes = packed ? deflateSync(content) : Buffer.from(content);
  const filter = packed ? "/Filter/FlateDecode" : "";
  return Buffer.concat([
    Buffer.from(`<</Length ${bytes.length}${filter}${dictionary}>>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ]);
}

const hex = (text: string) => Buffer.from(text, "utf16le").swap16().toString("hex");

/** Pages of lines in any script, in a font of the reader's whose numbers of glyphs are those of Unicode. */
export function pdf(pages: readonly (readonly string[])[]): Buffer {
  const toUnicode =
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /U def\n" +
    "1 begincodespacerange <0000> <ffff> endcodespacerange\n" +
    `256 beginbfrange\n${Array.from({ length: 256 }, (_, at) => {
      const high = at.toString(16).padStart(2, "0");
      return `<${high}00> <${high}ff> <${high}00>`;
    }).join("\n")}\nendbfrange\nendcmap end end`;
  const first = 7;
  const objects: (string | Buffer)[] = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, at) => `${first + at * 2} 0 R`).join(" ")}]>>`,
    "<</Type/Font/Subtype/Type0/BaseFont/Song/Encoding/Identity-H/DescendantFonts[4 0 R]/ToUnicode 6 0 R>>",
    "<</Type/Font/Subtype/CIDFontType2/BaseFont/Song/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 5 0 R/DW 1000>>",
    "<</Type/FontDescriptor/FontName/Song/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 900/Descent -100/CapHeight 700/StemV 80>>",
    stream(toUnicode, "", true),
  ];
  for (const [at, lines] of pages.entries()) {
    const text = lines.map((line) => `<${hex(line)}> Tj T*`).join("\n");
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 2000 800]/Resources<</Font<</F 3 0 R>>>>/Contents ${first + at * 2 + 1} 0 R>>`,
      stream(`BT /F 12 Tf 16 TL 40 740 Td\n${text}\nET`, "", true),
    );
  }
  return pdfOf(objects);
}

/** A line in a font whose table of characters, such as GBK-EUC-H, every reader of PDFs is to have itself. */
export function pdfInTable(table: string, bytes: Buffer): Buffer {
  return pdfOf([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Count 1/Kids[3 0 R]>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
    stream(`BT /F 12 Tf 20 200 Td <${bytes.toString("hex")}> Tj ET`),
    `<</Type/Font/Subtype/Type0/BaseFont/SimSun/Encoding/${table}/DescendantFonts[6 0 R]>>`,
    "<</Type/Font/Subtype/CIDFontType2/BaseFont/SimSun/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>/FontDescriptor 7 0 R/DW 1000>>",
    "<</Type/FontDescriptor/FontName/SimSun/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 900/Descent -100/CapHeight 700/StemV 80>>",
  ]);
}
