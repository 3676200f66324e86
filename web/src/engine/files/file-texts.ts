// The words for where a file stands and for what went wrong with it: keys only (wire-contract.md §18.7).
import type { RefusalCode } from "@plumb/protocol/wire/call";
import { ParseError, UploadRefusal } from "@plumb/protocol/wire/files";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { ApiError } from "../api-errors.ts";
import type { Text } from "../text.ts";
import { errorText } from "../texts.ts";
import type { DraftFile, StoredFile } from "./draft-file.ts";
import { storageFullText } from "./storage-full.ts";

const UPLOAD_TEXTS = new Map<number, Text>(
  (
    [
      [UploadRefusal.FileNameEmpty, { key: "fileNameEmpty" }],
      [UploadRefusal.FileSizeEmpty, { key: "fileSizeEmpty" }],
      [UploadRefusal.FileTooLarge, { key: "fileTooLarge" }],
      [UploadRefusal.FileNameTooLong, { key: "fileNameTooLong" }],
      [UploadRefusal.SystemException, { key: "fileSystemException" }],
      [UploadRefusal.StorageQuotaExceeded, { key: "fileStorageFull" }],
      [UploadRefusal.RequestTooFrequent, { key: "fileTooFrequent" }],
      [UploadRefusal.TooManyConcurrent, { key: "fileTooManyAtOnce" }],
      [UploadRefusal.UnsupportedFormat, { key: "fileUnsupported" }],
      [UploadRefusal.ServerBusy, { key: "fileServerBusy" }],
    ] satisfies [RefusalCode, Text][]
  ).map(([{ code }, text]) => [code, text]),
);

/** The file itself is refused: the same file will be refused again. */
const FINAL = new Set<number>([
  UploadRefusal.FileNameEmpty.code,
  UploadRefusal.FileSizeEmpty.code,
  UploadRefusal.FileTooLarge.code,
  UploadRefusal.FileNameTooLong.code,
  UploadRefusal.UnsupportedFormat.code,
]);

export interface UploadFailure {
  /** For the file's own place, which is small. */
  text: Text;
  /** Another try may help. */
  canRetry: boolean;
  /** What there is to say besides, once for all files. */
  toast?: Text | null;
}

/** Why an upload failed; null for one that was ended here. */
export function uploadFailure(error: ApiError): UploadFailure | null {
  if (error.kind === "aborted") return null;
  if (error.kind === "refused" && error.scope === "call") {
    const unknown = { key: "fileSystemExceptionCode", params: { code: error.code } };
    return {
      text: UPLOAD_TEXTS.get(error.code) ?? unknown,
      canRetry: !FINAL.has(error.code),
      ...(error.code === UploadRefusal.StorageQuotaExceeded.code && { toast: storageFullText(error.data) }),
    };
  }
  // A proxy in front has a limit of its own.
  const isTooLarge =
    error.kind === "http" && (error.status === 413 || error.code === Global.BodyTooLarge.code);
  if (isTooLarge) return { text: { key: "fileTooLarge" }, canRetry: false };
  return { text: errorText(error) ?? { key: "fileSystemException" }, canRetry: true };
}

const NO_TEXT = new Set<number>([
  ParseError.NoText,
  ParseError.ImageWithoutText,
  ParseError.ScanWithoutText,
  ParseError.WhiteSpaceOnly,
]);
const BUSY = new Set<number>([
  ParseError.ExtractorCrashed,
  ParseError.OcrFailed,
  ParseError.OutOfMemory,
  ParseError.QueueFull,
  ParseError.ExtractionTimedOut,
  ParseError.OcrTimedOut,
  ParseError.ConversionTimedOut,
  ParseError.StorageTimedOut,
]);

/** Why a file gave no text, by its `error_code`. */
export function parseErrorText(code: number | null): Text {
  if (code !== null && NO_TEXT.has(code)) return { key: "fileNoText" };
  if (code === ParseError.PicturesNotRead) return { key: "filePicturesNotRead" };
  if (code !== null && BUSY.has(code)) return { key: "fileServerBusy" };
  return { key: "fileParsingFailed" };
}

/** Where a stored file stands; null for one that is ready. */
function storedText({ status, errorCode }: StoredFile): Text | null {
  switch (status) {
    case "SUCCESS":
      return null;
    case "PENDING":
      return { key: "fileQueuing" };
    case "PARSING":
      return { key: "fileParsing" };
    case "FAILED":
      return parseErrorText(errorCode);
    case "CONTENT_EMPTY":
      return errorCode === null ? { key: "fileNoText" } : parseErrorText(errorCode);
    case "CONTENT_FILTER":
      return { key: "fileFiltered" };
    case "CONTENT_TOO_LONG":
      return { key: "fileTooLong" };
    case "CANCELLED":
      return { key: "fileFailed" };
    case "system-error-fail":
      return { key: "fileSystemException" };
    case "from-share":
      return { key: "fileShared" };
  }
}

/** Where a file stands, in words; null for one that is ready. */
export function fileText({ upload, stored }: Pick<DraftFile, "upload" | "stored">): Text | null {
  if (stored !== null) return storedText(stored);
  if (upload === null) return { key: "fileQueuing" };
  if (upload.failed) return upload.failedMsg ?? { key: "fileFailed" };
  if (!upload.isUploading) return { key: "fileQueuing" };
  return { key: "fileUploading", params: { percent: upload.percent } };
}
