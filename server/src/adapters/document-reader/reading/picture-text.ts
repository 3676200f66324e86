// The words of one picture, looked at in bands.
import { orDamagedBitmap, readBmp, readIco, type Pixels } from "./bitmap.ts";
import type { OcrEngine, SharpPicture } from "./ocr-engine.ts";
import { cutIntoBands } from "./picture-bands.ts";
import { ReadingError } from "./reading-error.ts";

/** Pixels of a picture that are unpacked at all: 200 MB. */
const mostPixels = 50_000_000;
/** A4 at 200 dots an inch; wider pictures are made so wide. */
const mostWidth = 1600;
const bandPixels = 1_000_000;
/** After all that: 20 screens high. */
const mostHeight = 30_000;

/** Throws 40007 for a picture with too many pixels, before they are unpacked, and 40003 for a damaged one. */
export async function* pictureText(
  engine: OcrEngine,
  bytes: Buffer,
  extension: string,
): AsyncGenerator<string> {
  const picture = await opened(engine, bytes, extension);
  const { data, info } = await orDamaged(() =>
    picture
      .rotate()
      .flatten({ background: "#ffffff" })
      .resize({ width: mostWidth, withoutEnlargement: true })
      .toColourspace("srgb")
      .removeAlpha()
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true }),
  );
  if (info.height > mostHeight) throw new ReadingError(40_007, "too tall");
  const raw = { width: info.width, height: info.height, channels: 1 as const };
  const most = Math.max(64, Math.floor(bandPixels / info.width));
  for (const { top, height } of cutIntoBands(contrastOfRows(data, info.width), most)) {
    const band = await engine
      .sharp(data, { raw })
      .extract({ left: 0, top, width: info.width, height })
      .png({ compressionLevel: 1 })
      .toBuffer();
    for (const { text } of await engine.ocr.detect(band)) if (text.trim() !== "") yield `${text}\n`;
  }
}

async function opened({ sharp }: OcrEngine, bytes: Buffer, extension: string): Promise<SharpPicture> {
  const windows = extension === "bmp" || extension === "ico";
  const inner = windows ? fromWindows(bytes, extension) : bytes;
  if (!Buffer.isBuffer(inner)) {
    const { data, width, height } = inner;
    return sharp(data, { raw: { width, height, channels: 3 } });
  }
  const picture = sharp(inner, { limitInputPixels: mostPixels });
  const { width = 0, height = 0 } = await orDamaged(() => picture.metadata());
  if (width * height > mostPixels) throw new ReadingError(40_007, "too many pixels");
  return picture;
}

function fromWindows(bytes: Buffer, extension: string): Buffer | Pixels {
  return orDamagedBitmap(() =>
    extension === "bmp" ? readBmp(bytes, mostPixels) : readIco(bytes, mostPixels),
  );
}

async function orDamaged<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (String(error).includes("exceeds pixel limit")) throw new ReadingError(40_007, String(error));
    throw new ReadingError(40_003, String(error));
  }
}

/** How much the pixels of each row differ. */
function contrastOfRows(grey: Buffer, width: number): Uint8Array {
  const rows = new Uint8Array(grey.length / width);
  for (let row = 0; row < rows.length; row += 1) {
    let least = 255;
    let most = 0;
    for (let at = row * width; at < (row + 1) * width; at += 1) {
      const value = grey[at] ?? 0;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    rows[row] = most - least;
  }
  return rows;
}
