/** A chunk that takes longer is not coming (requirements 0§9). */
export const CHUNK_TIMEOUT_MS = 120_000;

/** missing: the server has it no more, as after an update; timeout: it did not come; other: the network, or the script. */
export type ChunkFailure = "missing" | "timeout" | "other";

/** The code of a part of the page could not be had. */
export class ChunkLoadError extends Error {
  override readonly name = "ChunkLoadError";
  readonly failure: ChunkFailure;
  /** Where it should have come from, "" where the browser does not name it. */
  readonly address: string;

  constructor(failure: ChunkFailure, address: string, cause?: unknown) {
    super(`Loading a part of the page failed (${failure}: ${address})`, { cause });
    this.failure = failure;
    this.address = address;
  }
}

/** Whether the server has it no more: asking again is of no use. */
export function isMissing(error: unknown): boolean {
  return error instanceof ChunkLoadError && error.failure === "missing";
}

/** What a failed import was about; `ask` gives the status of an address, 0 when it does not answer. */
export async function asChunkLoadError(
  error: unknown,
  ask: (address: string) => Promise<number>,
): Promise<ChunkLoadError> {
  if (error instanceof ChunkLoadError) return error;
  const address =
    /https?:\/\/[^\s"')]+/.exec(error instanceof Error ? error.message : String(error))?.[0] ?? "";
  const status = address === "" ? 0 : await ask(address);
  return new ChunkLoadError(status === 404 || status === 410 ? "missing" : "other", address, error);
}

/** The import, or a ChunkLoadError when it takes too long. */
export async function withinTime<T>(load: () => Promise<T>, timeoutMs = CHUNK_TIMEOUT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError("timeout", "")), timeoutMs);
  });
  try {
    return await Promise.race([load(), late]);
  } finally {
    clearTimeout(timer);
  }
}
