// Reads documents, each in a process of its own. A hostile one costs its own job and nothing else.
import { type FileHandle, open, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { EXTENSIONS } from "@plumb/protocol/rules/upload-rules";
import type { DocumentReader, DocumentToRead, ReadDocument } from "../../ports/document-reader.ts";
import { type Ending, type Limits, runIsolated } from "./isolated-process.ts";
import { measureText } from "./measure-text.ts";
import { codeOfStatus, scannedPagesStatus, tooLongStatus } from "./reading-status.ts";

const mebibyte = 1024 * 1024;
const outputSlack = 64 * 1024;

type ProcessLimits = Omit<Limits, "outputBytes">;

const readingLimits: ProcessLimits = { timeMs: 60_000, heapMb: 384, residentBytes: 768 * mebibyte };

/** Kindle books: see docs/not-done.md. */
const unread = ["mobi", "azw3"];

const program = fileURLToPath(new URL("reading/read-document.ts", import.meta.url));

export class ProcessDocumentReader implements DocumentReader {
  readonly extensions = EXTENSIONS.filter((extension) => !unread.includes(extension));
  readonly #limits: ProcessLimits;
  readonly #closing = new AbortController();

  /** Other limits are for tests. */
  constructor({ limits = {} }: { limits?: Partial<ProcessLimits> } = {}) {
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

  async #readInto({ path, textPath, extension, limits }: DocumentToRead, signal: AbortSignal) {
    await using input = await open(path, "r");
    await using text = await open(textPath, "wx+", 0o600);
    const ending = await runIsolated(
      { file: program, parameters: [extension, String(limits.bytes)] },
      { input: input.fd, output: text.fd },
      { ...this.#limits, outputBytes: limits.bytes + outputSlack },
      signal,
    );
    signal.throwIfAborted();
    return resultOf(ending) ?? (await measured(text, limits, signal));
  }
}

async function measured(
  text: FileHandle,
  limits: DocumentToRead["limits"],
  signal: AbortSignal,
): Promise<ReadDocument> {
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
