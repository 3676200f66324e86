// Which reader an extension has. Each is loaded only in the process that needs it.
import type { InputFile } from "../../../platform/isolation/input-file.ts";
import type { TextSink } from "./text-sink.ts";

/** Writes the text of a document; throws ReadingError, or TooLongError when the sink is full. */
export type DocumentReading = (input: InputFile, sink: TextSink) => void | Promise<void>;

const openDocument = async (): Promise<DocumentReading> =>
  (await import("./read-open-document.ts")).readOpenDocument;
const html = async (): Promise<DocumentReading> => (await import("./read-html.ts")).readHtml;

const mobi = async (): Promise<DocumentReading> => (await import("./read-mobi.ts")).readMobi;

const picture = async (): Promise<DocumentReading> => (await import("./read-picture.ts")).readPicture;

const loaders: Readonly<Record<string, () => Promise<DocumentReading>>> = {
  apng: picture,
  avif: picture,
  azw3: mobi,
  bmp: picture,
  doc: async () => (await import("./read-doc.ts")).readDoc,
  docx: async () => (await import("./read-docx.ts")).readDocx,
  epub: async () => (await import("./read-epub.ts")).readEpub,
  fb2: async () => (await import("./read-html.ts")).readFictionBook,
  gif: picture,
  htm: html,
  html,
  ico: picture,
  ipynb: async () => (await import("./read-notebook.ts")).readNotebook,
  jpeg: picture,
  jpg: picture,
  mobi,
  odp: openDocument,
  ods: openDocument,
  odt: openDocument,
  pdf: async () => (await import("./read-pdf.ts")).readPdf,
  png: picture,
  ppt: async () => (await import("./read-ppt.ts")).readPpt,
  pptx: async () => (await import("./read-pptx.ts")).readPptx,
  rtf: async () => (await import("./read-rtf.ts")).readRtf,
  svg: async () => (await import("./read-html.ts")).readSvg,
  webp: picture,
  xhtml: async () => (await import("./read-html.ts")).readXhtml,
  xls: async () => (await import("./read-xls.ts")).readXls,
  xlsx: async () => (await import("./read-xlsx.ts")).readXlsx,
};

/** What has no reader of its own is text. */
export async function readerOf(extension: string): Promise<DocumentReading> {
  const load = Object.hasOwn(loaders, extension) ? loaders[extension] : undefined;
  return load === undefined ? (await import("./read-plain-text.ts")).readPlainText : load();
}
