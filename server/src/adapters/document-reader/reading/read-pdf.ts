// PDF: the text of each page in its order, and what was written into its form.
import { getDocumentProxy, getResolvedPDFJS, renderPageAsImage } from "unpdf";
import { orCorrupt } from "./corrupt.ts";
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import { PdfData } from "./pdf-data.ts";
import { writtenText } from "./pdf-form.ts";
import { ReadingError } from "./reading-error.ts";
import type { TextSink } from "./text-sink.ts";
import { withoutRadicals } from "./without-radicals.ts";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** How unpdf is given what it draws on. */
type CanvasImport = NonNullable<NonNullable<Parameters<typeof renderPageAsImage>[2]>["canvasImport"]>;

// `verbosity` 1: warnings are how it tells of damage.
const pdfOptions = { useSystemFonts: false, BinaryDataFactory: PdfData, useWorkerFetch: false, verbosity: 1 };

/** Its mark may stand a little behind the beginning. */
const markBytes = 1024;

export async function readPdf(input: InputFile, sink: TextSink): Promise<void> {
  const isDamaged = hearDamage();
  const pdf = await openPdf(input);
  await orCorrupt(async () => {
    let isBlank = true;
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const text = await pageText(pdf, number);
      if (text.trim() === "") sink.hasPictures = true;
      else sink.write(`${text.trimEnd()}\n\n`);
      const written = await writtenText(pdf, number);
      if (written !== "") sink.write(`${written}\n`);
      if (text.trim() !== "" || written !== "") isBlank = false;
    }
    if (!isBlank || (await drawsAnything(pdf))) return;
    if (isDamaged()) throw new ReadingError(40_003, "nothing is left of it");
    sink.hasPictures = false;
  });
}

/** pdf.js reads what it can of a broken file, and says only on the console that it was one. */
function hearDamage(): () => boolean {
  let heard = false;
  console.warn = () => {
    heard = true;
  };
  return () => heard;
}

/** False where all pages are blank: that is no scan. Stops at the first page with a picture or a line. */
async function drawsAnything(pdf: Pdf): Promise<boolean> {
  const { OPS } = await getResolvedPDFJS();
  const drawing = new Set(
    Object.entries(OPS).flatMap(([name, code]) =>
      /^paint|^constructPath|^shadingFill/.test(name) ? [code] : [],
    ),
  );
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const { fnArray } = await page.getOperatorList();
    page.cleanup();
    if (fnArray.some((code) => drawing.has(code))) return true;
  }
  return false;
}

/** Throws 40008 when it is no PDF, 40004 when it asks for a password, 40003 when it is damaged. */
export async function openPdf(input: InputFile): Promise<Pdf> {
  if (!input.read(0, markBytes).includes("%PDF-")) throw new ReadingError(40_008, "no PDF");
  return orCorrupt(async () => {
    try {
      return await getDocumentProxy(new Uint8Array(input.readAll()), pdfOptions);
    } catch (error) {
      if (error instanceof Error && error.name === "PasswordException")
        throw new ReadingError(40_004, "a password");
      throw error;
    }
  });
}

/** The words of a page as its lines; "" for a page that is a picture. */
export async function pageText(pdf: Pdf, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  let text = "";
  for (const item of items) {
    if (!("str" in item)) continue;
    text += item.hasEOL ? `${item.str}\n` : item.str;
  }
  page.cleanup();
  return withoutRadicals(text);
}

/** A scan is drawn as wide as pictures are looked at, and no larger than this in all. */
const drawnWidth = 1600;
const drawnPixels = 8_000_000;

/** A page as a PNG. */
export async function pagePicture(pdf: Pdf, number: number, canvas: () => Promise<unknown>): Promise<Buffer> {
  const { width, height } = (await pdf.getPage(number)).getViewport({ scale: 1 });
  const scale = Math.min(drawnWidth / width, Math.sqrt(drawnPixels / (width * height)));
  const drawn = await renderPageAsImage(pdf, number, { scale, canvasImport: canvas as CanvasImport });
  return Buffer.from(drawn);
}
