// One file on its way to the server, to be sent with a message (wire-contract.md §12.1).
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import { uploadFile } from "@plumb/protocol/wire/files";
import { RequestHeader } from "@plumb/protocol/wire/headers";
import type { ApiError } from "../api-errors.ts";
import type { LocalFile } from "../browser.ts";
import { errorText } from "../texts.ts";
import { type UploadFailure, uploadFailure } from "./file-texts.ts";
import { type SendDeps, sendFile } from "./send-file.ts";

export type UploadResult =
  { kind: "stored"; info: FileInfo } | ({ kind: "failed" } & UploadFailure) | { kind: "cancelled" };

interface UploadOptions {
  thinking: boolean;
  signal: AbortSignal;
  /** A whole number of per cent, each once. */
  onPercent(percent: number): void;
}

function failed(error: ApiError): UploadResult {
  const failure = uploadFailure(error);
  // Ended by its own time limit.
  return failure === null
    ? { kind: "failed", text: { key: "networkError" }, canRetry: true }
    : { kind: "failed", ...failure };
}

/** Uploads a file: its proof of work first. Never rejects. */
export async function uploadOne(
  deps: SendDeps,
  file: LocalFile,
  { thinking, signal, onPercent }: UploadOptions,
): Promise<UploadResult> {
  const headers = { [RequestHeader.ThinkingEnabled]: thinking ? "1" : "0" };
  const sent = await sendFile(deps, uploadFile, file, { headers, signal, onPercent });
  if (sent.kind === "cancelled") return sent;
  if (sent.kind === "answered") return { kind: "stored", info: sent.data };
  if (sent.kind === "no-proof") {
    const text = sent.error === null ? null : errorText(sent.error);
    return { kind: "failed", text: text ?? { key: "uploadProofFailed" }, canRetry: true };
  }
  return failed(sent.error);
}
