// Conversations of elsewhere, or of an own export, taken into one's account (wire-contract.md §19.6).
import * as z from "zod/mini";
import { defineCall } from "./call.ts";
import { nothing } from "./fields.ts";

/** QUEUED and RUNNING go on; the others are ends. */
export type ImportState = "QUEUED" | "RUNNING" | "FINISHED" | "FAILED" | "CANCELLED";

/** What wrote the file. */
export type ImportKind = "plumb" | "chatgpt" | "open_webui";

/**
 * Why an import FAILED. INTERRUPTED: the server broke down at it again and again. STORAGE_FULL: the account's storage has no room
 * for the next conversation.
 */
export type ImportError =
  "UNSUPPORTED_FORMAT" | "UNREADABLE" | "LOCKED" | "TOO_LARGE" | "INTERRUPTED" | "STORAGE_FULL";

/** Why a conversation was left out. */
export type ImportSkip =
  "IMPORTED_BEFORE" | "EMPTY" | "UNREADABLE" | "TOO_LARGE" | "TOO_MANY_MESSAGES" | "TOO_MANY";

/** How many were left out for one reason, and the first of them by their titles. */
export interface SkippedSessions {
  reason: ImportSkip;
  count: number;
  /** At most LIMITS.importNamed; none is empty. */
  titles: string[];
}

/** Times are unix seconds. */
export interface ImportStatus {
  id: string;
  status: ImportState;
  /** Null until it is known. */
  kind: ImportKind | null;
  file_name: string;
  /** 0 until they are counted. */
  sessions_total: number;
  /** Those that are dealt with, also those left out. */
  sessions_done: number;
  sessions_skipped: number;
  skipped: SkippedSessions[];
  error: ImportError | null;
  inserted_at: number;
  finished_at: number | null;
}

export const ImportRefusal = {
  RateLimit: { code: 1, msg: "RATE_LIMIT" },
  UnsupportedFormat: { code: 2, msg: "UNSUPPORTED_FORMAT" },
  FileTooLarge: { code: 3, msg: "FILE_TOO_LARGE" },
  ImportRunning: { code: 4, msg: "IMPORT_RUNNING" },
  ImportFailed: { code: 5, msg: "IMPORT_FAILED" },
  StorageQuotaExceeded: { code: 6, msg: "STORAGE_QUOTA_EXCEEDED" },
} as const;

/** The body is multipart with one part `file` that has a filename. Answers QUEUED. */
export const beginImport = defineCall<ImportStatus>()({
  method: "POST",
  path: "/api/v0/import",
  proof: "user:upload_file",
  request: nothing,
});

/** What became of the last import; null where there is none. */
export const lastImport = defineCall<ImportStatus | null>()({
  method: "GET",
  path: "/api/v0/import",
  request: nothing,
});

export const CancelImportRefusal = {
  NoImportRunning: { code: 1, msg: "NO_IMPORT_RUNNING" },
} as const;

/** Ends the import; what it has taken in stays. */
export const cancelImport = defineCall<ImportStatus>()({
  method: "POST",
  path: "/api/v0/import/cancel",
  request: z.object({ import_id: z.string() }),
});
