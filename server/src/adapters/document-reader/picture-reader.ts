// Reads words in pictures and scans: one document at a time, each in a process of its own that ends with it.
import { open, rename, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import PQueue from "p-queue";
import type { DocumentToRead } from "../../ports/document-reader.ts";
import { type Ending, type Limits, runIsolated } from "../../platform/isolation/isolated-process.ts";
import { type OcrState, ocrFolder, ocrState } from "./ocr-parts.ts";

const mebibyte = 1024 * 1024;
const program = fileURLToPath(new URL("reading/read-pictures.ts", import.meta.url));

/** A page takes some seconds, and a scan has many. */
const limits: Omit<Limits, "outputBytes" | "timeMs"> = { heapMb: 384, residentBytes: 1024 * mebibyte };
const pictureMs = 120_000;
const scanMs = 600_000;

export class PictureReader {
  /** It takes up to 1 GB: two at once would be too much for a small server. */
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #folder: string;

  constructor(folder: string = ocrFolder) {
    this.#folder = folder;
  }

  async state(): Promise<OcrState> {
    return ocrState(this.#folder);
  }

  /** Puts the text at `textPath`, over what is there, once it is whole. */
  async read(document: DocumentToRead, outputBytes: number, signal: AbortSignal): Promise<Ending> {
    // One that is called off while it waits for its turn waits no longer. (A signal for the queue would end the wait for one that
    // runs, too, before its process has ended.)
    let began = false;
    const calledOff = new Promise<Ending>((resolve) => {
      signal.addEventListener("abort", () => began || resolve("cancelled"), { once: true });
    });
    const reading = this.#queue.add(async (): Promise<Ending> => {
      began = true;
      return signal.aborted ? "cancelled" : this.#readNow(document, outputBytes, signal);
    });
    return Promise.race([reading, calledOff]);
  }

  async #readNow(
    { path, textPath, extension, limits: { bytes } }: DocumentToRead,
    outputBytes: number,
    signal: AbortSignal,
  ): Promise<Ending> {
    const found = `${textPath}.pictures`;
    try {
      await using input = await open(path, "r");
      await using text = await open(found, "wx", 0o600);
      const ending = await runIsolated(
        {
          file: program,
          parameters: [extension, String(bytes), this.#folder],
          packages: [this.#folder],
          native: true,
        },
        { input: input.fd, output: text.fd },
        { ...limits, outputBytes, timeMs: extension === "pdf" ? scanMs : pictureMs },
        signal,
      );
      if (typeof ending !== "string" && ending.status === 0) await rename(found, textPath);
      return ending;
    } finally {
      await rm(found, { force: true });
    }
  }
}
