// The one file of a multipart body, as it comes.
import { Global } from "@plumb/protocol/wire/global-codes";
import type { Part } from "../../platform/http/multipart.ts";
import { GlobalRefusal } from "../../platform/refusal.ts";

/** The next part of this name; others are dropped (wire-contract.md §1.7). */
export async function nextFile(parts: AsyncGenerator<Part>): Promise<Part | null> {
  for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
    if (next.value.name === "file") return next.value;
  }
  return null;
}

export function badBody(field: string, msg: string): GlobalRefusal {
  return new GlobalRefusal(Global.InvalidParams, { detail: [{ loc: `body.${field}`, msg }] });
}

/**
 * The bytes of a part as they come. `check` is told of how many there are so far, and throws where there are too many. Throws
 * when `signal` does: the job is lost, or this process ends.
 */
export async function* piecesOf(
  { pieces }: Part,
  check: (bytes: number) => void,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  const source = pieces[Symbol.asyncIterator]();
  const ended = new Promise<never>((_resolve, reject) => {
    const end = (): void => reject(new GlobalRefusal(Global.ServiceUnavailable, { retryAfter: 1 }));
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
  });
  ended.catch(() => {});
  for (;;) {
    const next = await Promise.race([source.next(), ended]);
    if (next.done === true) return;
    bytes += next.value.length;
    check(bytes);
    yield next.value;
  }
}
