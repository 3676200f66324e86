import { getDocument, PDFWorker, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";

const DATA = "/static/pdf/";
/** So much of a file is asked for at a time (bytes): the pages on show, not the whole. */
const RANGE_BYTES = 256 * 1024;
/** A picture in a document with more pixels is left out. */
const MOST_PIXELS = 64 * 1024 * 1024;

export interface OpenPdf {
  document: Promise<PDFDocumentProxy>;
  close: () => void;
}

/** Opens a PDF in a worker of its own, which ends with it. Rejects where it cannot be had or read. */
export function openPdf(url: string): OpenPdf {
  const worker = new Worker(new URL("./pdf.worker.ts", import.meta.url), { type: "module" });
  const failed = new Promise<never>((_resolve, reject) => {
    worker.addEventListener("error", ({ message }) => reject(new Error(`the PDF worker: ${message}`)));
  });
  const task = getDocument({
    url,
    worker: PDFWorker.create({ port: worker }),
    cMapUrl: `${DATA}cmaps/`,
    standardFontDataUrl: `${DATA}standard_fonts/`,
    wasmUrl: `${DATA}wasm/`,
    iccUrl: `${DATA}iccs/`,
    rangeChunkSize: RANGE_BYTES,
    disableAutoFetch: true,
    disableStream: true,
    maxImageSize: MOST_PIXELS,
  });
  return {
    document: Promise.race([task.promise, failed]),
    close: () => void task.destroy().finally(() => worker.terminate()),
  };
}
