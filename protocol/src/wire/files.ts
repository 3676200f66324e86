// Files: upload, status, preview, bytes (wire-contract.md §12).
import * as z from "zod/mini";
import type { FileInfo } from "../conversation/file-info.ts";
import { LIMITS } from "../limits.ts";
import { defineCall } from "./call.ts";
import { nothing, textOrEmpty } from "./fields.ts";

/** Numbers of an upload (wire-contract.md §18.7); 10 to 14 are reserved. */
export const UploadRefusal = {
  FileNameEmpty: { code: 1, msg: "FILE_NAME_EMPTY" },
  FileSizeEmpty: { code: 2, msg: "FILE_SIZE_EMPTY" },
  FileTooLarge: { code: 3, msg: "FILE_TOO_LARGE" },
  FileNameTooLong: { code: 4, msg: "FILE_NAME_TOO_LONG" },
  SystemException: { code: 5, msg: "SYSTEM_EXCEPTION" },
  StorageQuotaExceeded: { code: 6, msg: "STORAGE_QUOTA_EXCEEDED" },
  RequestTooFrequent: { code: 7, msg: "REQUEST_TOO_FREQUENT" },
  TooManyConcurrent: { code: 8, msg: "TOO_MANY_CONCURRENT" },
  UnsupportedFormat: { code: 9, msg: "UNSUPPORTED_FORMAT" },
  ServerBusy: { code: 15, msg: "SERVER_BUSY" },
} as const;

/** Why a file gave no text: `error_code` of FileInfo (wire-contract.md §18.7). */
export const ParseError = {
  // CONTENT_EMPTY
  NoText: 40000,
  ImageWithoutText: 40001,
  ScanWithoutText: 40002,
  WhiteSpaceOnly: 40009,
  /** A picture or a scan, where words in pictures are not read. */
  PicturesNotRead: 40010,
  // FAILED: the file is to blame
  Corrupt: 40003,
  PasswordProtected: 40004,
  UnknownEncoding: 40006,
  TooComplex: 40007,
  NotOfItsType: 40008,
  // FAILED: the server is
  ExtractorCrashed: 50200,
  OcrFailed: 50201,
  OutOfMemory: 50202,
  QueueFull: 50300,
  ExtractionTimedOut: 50400,
  OcrTimedOut: 50401,
  ConversionTimedOut: 50402,
  StorageTimedOut: 50403,
} as const;

export type ParseErrorCode = (typeof ParseError)[keyof typeof ParseError];

/**
 * The body is multipart with one part `file` that has a filename; headers RequestHeader.FileSize (bytes, so that the server
 * can refuse before it reads them) and ThinkingEnabled ("1" or "0"). Answers with the status PENDING.
 */
export const uploadFile = defineCall<FileInfo>()({
  method: "POST",
  path: "/api/v0/file/upload_file",
  proof: "user:upload_file",
  request: nothing,
});

/** A query like `file-1,file-2` as a list, each id once. */
const fileIds = z
  .pipe(
    z.string(),
    z.transform((list) => [...new Set(list.split(",").filter((id) => id !== ""))]),
  )
  .check(z.maxLength(LIMITS.fileIdsPerFetch));

/** `file_ids` are separated by commas. The files come in the order asked; unknown and foreign ids are left out. */
export const fetchFiles = defineCall<{ files: FileInfo[] }>()({
  method: "GET",
  path: "/api/v0/file/fetch_files",
  request: z.object({ file_ids: fileIds }),
});

export const PreviewRefusal = {
  FileNotFound: { code: 1, msg: "FILE_NOT_FOUND" },
  FileNotPreviewable: { code: 2, msg: "FILE_NOT_PREVIEWABLE" },
  FileNotReady: { code: 3, msg: "FILE_NOT_READY" },
} as const;

export type PreviewKind = "image" | "pdf" | "text";

/** `url` is absolute and good until `expire_at` (unix seconds); of the kind "text" it leads to the extracted text. */
export interface FilePreview {
  url: string;
  expire_at: number;
  type: PreviewKind;
  name: string;
}

export const previewFile = defineCall<FilePreview>()({
  method: "GET",
  path: "/api/v0/file/preview",
  request: z.object({ file_id: z.string() }),
});

/** The bytes behind a preview's url: no envelope. The token is the right to them. */
export const rawFile = defineCall<null>()({
  method: "GET",
  path: "/api/v0/file/raw",
  auth: "none",
  request: z.object({ token: textOrEmpty }),
});
