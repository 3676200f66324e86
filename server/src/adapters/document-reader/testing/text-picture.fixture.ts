// Pictures of pages of text, in every format that is taken, made with the parts that scripts/install-ocr.mjs installed.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ocrFolder } from "../ocr-parts.ts";
import { pdfOf, stream } from "./pdf-writer.fixture.ts";

interface Canvas {
  getContext(kind: "2d"): {
    fillStyle: string;
    font: string;
    fillRect(x: number, y: number, width: number, height: number): void;
    fillText(text: string, x: number, y: number): void;
  };
  encode(format: "png"): Promise<Buffer>;
}
interface Picture {
  toFormat(format: string): Picture;
  flatten(options: { background: string }): Picture;
  removeAlpha(): Picture;
  raw(): Picture;
  toBuffer(): Promise<Buffer>;
  toBuffer(options: {
    resolveWithObject: true;
  }): Promise<{ data: Buffer; info: { width: number; height: number } }>;
}

const part = async (file: string): Promise<unknown> =>
  import(pathToFileURL(join(ocrFolder, "node_modules", file)).href);

/** Lines of black text on white paper, as a PNG. */
export async function pictureOf(
  lines: readonly string[],
  { font = "Noto Sans CJK SC, sans-serif", size = 26, width = 1240 } = {},
): Promise<Buffer> {
  const { createCanvas } = (await part("@napi-rs/canvas/index.js")) as {
    createCanvas(width: number, height: number): Canvas;
  };
  const canvas = createCanvas(width, 120 + Math.ceil(lines.length * size * 1.7));
  const context = canvas.getContext("2d");
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, 10_000, 10_000);
  context.fillStyle = "#111111";
  context.font = `${size}px ${font}`;
  for (const [at, line] of lines.entries()) context.fillText(line, 60, 80 + at * size * 1.7);
  return canvas.encode("png");
}

const sharpOf = async (png: Buffer): Promise<Picture> => {
  const sharp = ((await part("sharp/lib/index.js")) as { default: (input: Buffer) => Picture }).default;
  return sharp(png).flatten({ background: "#ffffff" });
};

const pixelsOf = async (png: Buffer) =>
  (await sharpOf(png)).removeAlpha().raw().toBuffer({ resolveWithObject: true });

/** The PNG in another format: jpeg, webp, gif, avif, bmp or ico. */
export async function convert(png: Buffer, format: string): Promise<Buffer> {
  if (format === "bmp") return bmpOf(await pixelsOf(png));
  if (format === "ico") return icoOf(png);
  return (await sharpOf(png)).toFormat(format).toBuffer();
}

function bmpOf({ data, info: { width, height } }: Awaited<ReturnType<typeof pixelsOf>>): Buffer {
  const stride = Math.ceil((width * 3) / 4) * 4;
  const bytes = Buffer.alloc(54 + stride * height);
  bytes.write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1)
      for (let colour = 0; colour < 3; colour += 1)
        bytes[54 + (height - 1 - row) * stride + column * 3 + 2 - colour] =
          data[(row * width + column) * 3 + colour] ?? 0;
  return bytes;
}

function icoOf(png: Buffer): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(22, 18);
  return Buffer.concat([head, png]);
}

/** A PDF whose first page has text and whose second is this picture. */
export async function scanOf(png: Buffer, text: string): Promise<Buffer> {
  const { data, info } = await pixelsOf(png);
  const image = stream(
    data,
    `/Type/XObject/Subtype/Image/Width ${info.width}/Height ${info.height}/ColorSpace/DeviceRGB/BitsPerComponent 8`,
    true,
  );
  const box = `/MediaBox[0 0 ${info.width / 2} ${info.height / 2}]`;
  return pdfOf([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Count 2/Kids[3 0 R 5 0 R]>>",
    `<</Type/Page/Parent 2 0 R${box}/Contents 4 0 R/Resources<</Font<</F 8 0 R>>>>>>`,
    stream(`BT /F 12 Tf 40 40 Td (${text}) Tj ET`),
    `<</Type/Page/Parent 2 0 R${box}/Contents 6 0 R/Resources<</XObject<</I 7 0 R>>>>>>`,
    stream(`${info.width / 2} 0 0 ${info.height / 2} 0 0 cm /I Do`),
    image,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ]);
}
