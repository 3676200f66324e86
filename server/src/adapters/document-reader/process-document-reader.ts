// Reads documents, each in a process of its own. A hostile one costs its own job and nothing else.
import { open, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { ParseErrorCode } from "@plumb/protocol/wire/files";
import { EXTENSIONS } from "@plumb/protocol/rules/upload-rules";
import type { DocumentReader, DocumentToRead, ReadDocument } from "../../ports/document-reader.ts";
import { type Ending, type Limits, runIsolated } from "../../platform/isolation/isolated-process.ts";
import { measureText } from "./measure-text.ts";
import type { PictureReader } from "./picture-reader.ts";
import { codeOfStatus, scannedPagesStatus, statusOf, tooLongStatus } from "./reading-status.ts";

const mebibyte = 1024 * 1024;
const outputSlack = 64 * 1024;

type ProcessLimits = Omit<Limits, "outputBytes">;

const readingLimits: ProcessLimits = { timeMs: 60_000, heapMb: 384, residentBytes: 768 * mebibyte };

/** Of a try: enough for most documents. */
const shortLimits: Partial<ProcessLimits> = {
  processorSeconds: 1,
  // Before what takes a minute.
  niceness: 5,
  heapMb: 192,
  residentBytes: 384 * mebibyte,
};

const program = fileURLToPath(new URL("reading/read-document.ts", import.meta.url));

const needsOcr = [statusOf(40_001), statusOf(40_002), scannedPagesStatus];

type Pictures = Pick<PictureReader, "state" | "read">;

export class ProcessDocumentReader implements DocumentReader {
  readonly extensions = EXTENSIONS;
  readonly #limits: ProcessLimits;
  readonly #pictures: Pictures | null;
  readonly #closing = new AbortController();

  /** `pictures` null: words in pictures are not read. Other limits are for tests. */
  constructor({
    pictures = null,
    limits = {},
  }: { pictures?: Pictures | null; limits?: Partial<ProcessLimits> } = {}) {
    this.#pictures = pictures;
    this.#limits = { ...readingLimits, ...limits };
  }

  async read(document: DocumentToRead, signal: AbortSignal): Promise<ReadDocument> {
    const ends = AbortSignal.any([signal, this.#closing.signal]);
    ends.throwIfAborted();
    let result: ReadDocument | undefined;
    try {
      result = await this.#readInto(document, ends);
      return result;
    } finally {
      if (result?.kind !== "text") await rm(document.textPath, { force: true });
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  async #readInto(document: DocumentToRead, signal: AbortSignal): Promise<ReadDocument> {
    const outputBytes = document.limits.bytes + outputSlack;
    const ending = await this.#readText(document, outputBytes, signal);
    signal.throwIfAborted();
    if (document.isShort && isMoreThanShort(ending)) return { kind: "long" };
    const result = statusIn(ending, needsOcr)
      ? await this.#readPictures(document, outputBytes, ending, signal)
      : resultOf(ending);
    signal.throwIfAborted();
    return result ?? (await measured(document, signal));
  }

  async #readText(document: DocumentToRead, outputBytes: number, signal: AbortSignal): Promise<Ending> {
    await using input = await open(document.path, "r");
    await using text = await open(document.textPath, "wx", 0o600);
    const parameters = [document.extension, String(document.limits.bytes)];
    const files = { input: input.fd, output: text.fd };
    // Awaited, or the files would be closed under it.
    const limits = { ...this.#limits, ...(document.isShort ? shortLimits : {}), outputBytes };
    return await runIsolated({ file: program, parameters }, files, limits, signal);
  }

  /** Null: there is a text. Where pictures cannot be read, a document that has text besides is read without them. */
  async #readPictures(
    document: DocumentToRead,
    outputBytes: number,
    ending: Ending,
    signal: AbortSignal,
  ): Promise<ReadDocument | null> {
    const state = (await this.#pictures?.state()) ?? "missing";
    if (state === "installing") return { kind: "later" };
    const hasText = statusIn(ending, [scannedPagesStatus]);
    if (this.#pictures === null || state === "missing") {
      return hasText ? null : { kind: "failed", errorCode: 40_010 };
    }
    const result = resultOfPictures(await this.#pictures.read(document, outputBytes, signal));
    if (result?.kind !== "failed") return result;
    // A page without words is no failure, and words that are known are not lost with a picture beside them.
    if (hasText) return null;
    return isEmpty(result.errorCode) ? resultOf(ending) : result;
  }
}

/** Pictures are read one document at a time, each for seconds or minutes. */
function isMoreThanShort(ending: Ending): boolean {
  return ending === "time" || ending === "memory" || statusIn(ending, needsOcr);
}

const isEmpty = (errorCode: ParseErrorCode) => errorCode === 40_000 || errorCode === 40_009;

/** The codes of this reading where it has its own. */
function resultOfPictures(ending: Ending): ReadDocument | null {
  const result = resultOf(ending);
  if (result?.kind !== "failed") return result;
  const own: Partial<Record<ParseErrorCode, ParseErrorCode>> = { 50_200: 50_201, 50_400: 50_401 };
  return { kind: "failed", errorCode: own[result.errorCode] ?? result.errorCode };
}

function statusIn(ending: Ending, statuses: readonly number[]): boolean {
  return typeof ending !== "string" && statuses.includes(ending.status);
}

async function measured({ textPath, limits }: DocumentToRead, signal: AbortSignal): Promise<ReadDocument> {
  await using text = await open(textPath, "r+");
  await text.sync();
  const { bytes, tokens } = await measureText(text, limits.tokens, signal);
  return tokens > limits.tokens || bytes > limits.bytes
    ? { kind: "too-long" }
    : { kind: "text", bytes, tokens };
}

/** Null: there is a text. */
function resultOf(ending: Ending): ReadDocument | null {
  if (ending === "output") return { kind: "too-long" };
  if (ending === "time") return { kind: "failed", errorCode: 50_400 };
  if (ending === "memory") return { kind: "failed", errorCode: 50_202 };
  if (typeof ending === "string") return { kind: "failed", errorCode: 50_200 };
  if (ending.status === 0 || ending.status === scannedPagesStatus) return null;
  if (ending.status === tooLongStatus) return { kind: "too-long" };
  return { kind: "failed", errorCode: codeOfStatus(ending.status) };
}
