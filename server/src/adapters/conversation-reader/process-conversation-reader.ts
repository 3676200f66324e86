// Reads uploaded exports, each in a process of its own. A hostile one costs its own job and nothing else.
import { open } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { LIMITS } from "@plumb/protocol/limits";
import { type Ending, type Limits, runIsolated } from "../../platform/isolation/isolated-process.ts";
import type { ConversationReader, ReadUpload, UploadToRead } from "../../ports/conversation-reader.ts";
import { problemOfStatus } from "./reading-status.ts";

const MIB = 1024 * 1024;
const program = fileURLToPath(new URL("reading/read-upload.ts", import.meta.url));

const readingLimits: Limits = {
  // Counting tokens of all that may be kept takes most of it.
  timeMs: 5 * 60_000,
  heapMb: 512,
  residentBytes: 768 * MIB,
  // Heads of messages stand beside what is kept.
  outputBytes: 2 * LIMITS.importKeptBytes,
};

/** Of a try: enough for some hundred conversations. */
const shortLimits: Partial<Limits> = {
  processorSeconds: 2,
  // Before what takes minutes.
  niceness: 5,
  heapMb: 256,
  residentBytes: 448 * MIB,
};

export class ProcessConversationReader implements ConversationReader {
  readonly #limits: Limits;
  readonly #closing = new AbortController();

  /** Other limits are for tests. */
  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...readingLimits, ...limits };
  }

  async read(upload: UploadToRead, signal: AbortSignal): Promise<ReadUpload> {
    const ends = AbortSignal.any([signal, this.#closing.signal]);
    ends.throwIfAborted();
    const { path, recordsPath, isShort, ...rest } = upload;
    await using input = await open(path, "r");
    await using records = await open(recordsPath, "wx", 0o600);
    const files = { input: input.fd, output: records.fd };
    const parameters = [JSON.stringify(rest)];
    const limits = { ...this.#limits, ...(isShort ? shortLimits : {}) };
    const ending = await runIsolated({ file: program, parameters }, files, limits, ends);
    ends.throwIfAborted();
    if (isShort && (ending === "time" || ending === "memory")) return { kind: "long" };
    return resultOf(ending);
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }
}

function resultOf(ending: Ending): ReadUpload {
  if (typeof ending === "string") return { kind: "broke" };
  if (ending.status === 0) return { kind: "read" };
  const error = problemOfStatus(ending.status);
  return error === null ? { kind: "broke" } : { kind: "failed", error };
}
