// One file on its way to the server (wire-contract.md §12.1).
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import { uploadFile } from "@plumb/protocol/wire/files";
import { Global } from "@plumb/protocol/wire/global-codes";
import { RequestHeader } from "@plumb/protocol/wire/headers";
import type { ApiClient } from "../api-client.ts";
import type { ApiError } from "../api-errors.ts";
import type { Browser, Cancel, LocalFile } from "../browser.ts";
import type { ProofOfWork } from "../guard/proof-of-work.ts";
import type { Text } from "../text.ts";
import { errorText, numberAt } from "../texts.ts";
import { uploadFailure } from "./file-texts.ts";

/** A body that does not move, or an answer that does not come, for so long is given up (milliseconds). */
const UPLOAD_STALL_MS = 60_000;

export interface UploadDeps {
  browser: Browser;
  api: ApiClient;
  proofs: Pick<ProofOfWork, "once">;
  /** The user may not write until then (unix seconds). */
  onMuted(untilSecs: number): void;
}

export type UploadResult =
  | { kind: "stored"; info: FileInfo }
  | { kind: "failed"; text: Text; canRetry: boolean }
  | { kind: "cancelled" };

interface UploadOptions {
  thinking: boolean;
  signal: AbortSignal;
  /** A whole number of per cent, each once. */
  onPercent(percent: number): void;
}

function failed(error: ApiError, signal: AbortSignal): UploadResult {
  if (signal.aborted) return { kind: "cancelled" };
  const failure = uploadFailure(error);
  // Ended by its own time limit.
  return failure === null
    ? { kind: "failed", text: { key: "networkError" }, canRetry: true }
    : { kind: "failed", ...failure };
}

/** Uploads a file: its proof of work first. Never rejects. */
export async function uploadOne(
  { browser, api, proofs, onMuted }: UploadDeps,
  file: LocalFile,
  { thinking, signal, onPercent }: UploadOptions,
): Promise<UploadResult> {
  const proof = await proofs.once(uploadFile.path);
  if (signal.aborted) return { kind: "cancelled" };
  if (!proof.ok) {
    browser.log("Fail to retrieve pow for upload file", proof.error);
    const text = proof.error === null ? null : errorText(proof.error);
    return { kind: "failed", text: text ?? { key: "uploadProofFailed" }, canRetry: true };
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
    uploadFile,
    (headers) =>
      browser.upload(uploadFile.path, {
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
      headers: {
        [RequestHeader.PowResponse]: proof.header,
        [RequestHeader.ThinkingEnabled]: thinking ? "1" : "0",
        [RequestHeader.FileSize]: String(file.size),
      },
    },
  );
  cancelStall();
  signal.removeEventListener("abort", abort);
  if (result.ok) return { kind: "stored", info: result.data };
  const { error } = result;
  if (error.kind === "refused" && error.scope === "global" && error.code === Global.UserIsMuted.code) {
    onMuted(numberAt(error.data, "end_at"));
  }
  return failed(error, signal);
}
