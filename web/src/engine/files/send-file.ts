// One file on its way to the server: its proof of work first, and an end where nothing moves.
import type { Call, ResponseOf } from "@plumb/protocol/wire/call";
import { RequestHeader } from "@plumb/protocol/wire/headers";
import type { ApiClient } from "../api-client.ts";
import type { ApiError } from "../api-errors.ts";
import type { Browser, Cancel, LocalFile } from "../browser.ts";
import type { ProofOfWork } from "../guard/proof-of-work.ts";

/** A body that does not move, or an answer that does not come, for so long is given up (milliseconds). */
const UPLOAD_STALL_MS = 60_000;

export interface SendDeps {
  browser: Browser;
  api: ApiClient;
  proofs: Pick<ProofOfWork, "once">;
}

/** "no-proof": the call was not made; its error is null where nothing was answered. */
export type SentFile<T> =
  | { kind: "answered"; data: T }
  | { kind: "refused"; error: ApiError }
  | { kind: "no-proof"; error: ApiError | null }
  | { kind: "cancelled" };

interface SendOptions {
  headers?: Record<string, string>;
  signal: AbortSignal;
  /** A whole number of per cent, each once. */
  onPercent(percent: number): void;
}

/** Sends a file as the call's part `file`. Never rejects. */
export async function sendFile<C extends Call>(
  { browser, api, proofs }: SendDeps,
  call: C,
  file: LocalFile,
  { headers: more = {}, signal, onPercent }: SendOptions,
): Promise<SentFile<ResponseOf<C>>> {
  const proof = await proofs.once(call.path);
  if (signal.aborted) return { kind: "cancelled" };
  if (!proof.ok) {
    browser.log("Fail to retrieve pow for upload file", proof.error);
    return { kind: "no-proof", error: proof.error };
  }

  const ends = new AbortController();
  const abort = (): void => ends.abort();
  let cancelStall: Cancel = () => {};
  let told = 0;
  function moved(): void {
    cancelStall();
    cancelStall = browser.after(UPLOAD_STALL_MS, abort);
  }
  signal.addEventListener("abort", abort, { once: true });
  moved();
  const result = await api.callWith(
    call,
    (headers) =>
      browser.upload(call.path, {
        headers,
        file,
        signal: ends.signal,
        onProgress(part) {
          moved();
          const percent = Math.min(100, Math.floor(part * 100));
          if (percent > told) onPercent((told = percent));
        },
      }),
    {
      signal: ends.signal,
      onHeld: (held) => (held ? cancelStall() : moved()),
      headers: {
        [RequestHeader.PowResponse]: proof.header,
        [RequestHeader.FileSize]: String(file.size),
        ...more,
      },
    },
  );
  cancelStall();
  signal.removeEventListener("abort", abort);
  if (result.ok) return { kind: "answered", data: result.data };
  return signal.aborted ? { kind: "cancelled" } : { kind: "refused", error: result.error };
}
