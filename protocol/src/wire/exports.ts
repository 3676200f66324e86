// All data of a user as one file: begun, asked for, downloaded (wire-contract.md §3.6, §14, §18.9).
import * as z from "zod/mini";
import { defineCall } from "./call.ts";
import { nothing, textOrEmpty } from "./fields.ts";

/** INIT = queued, CREATED = being written; both and PENDING are shown alike. EMPTY = there is nothing to export, or to download. */
export type ExportState = "INIT" | "CREATED" | "PENDING" | "FINISHED" | "EMPTY";

/** Times are unix seconds, `bytes` is the size of the file. The four last stand for those that they spell otherwise. */
export interface ExportStatus {
  status: ExportState;
  /** Absolute, and good until `expire_at`; null until FINISHED. */
  history_download_url: string | null;
  /** None is ever made here: there is no older format. */
  legacy_history_download_url: string | null;
  export_at: number | null;
  expire_at: number | null;
  bytes: number | null;
  /** How far the writing is; 0 until CREATED. */
  sessions_done: number;
  sessions_total: number;
  historyDownloadUrl: string | null;
  legacyHistoryDownloadUrl: string | null;
  exportAt: number | null;
  expireAt: number | null;
}

export const ExportAllRefusal = {
  RateLimit: { code: 1, msg: "RATE_LIMIT" },
  ExportFailed: { code: 2, msg: "EXPORT_FAILED" },
} as const;

/** Begins an export, in place of the one before. */
export const exportAll = defineCall<ExportStatus>()({
  method: "POST",
  path: "/api/v0/export_all",
  request: nothing,
});

/** The same under the specification's method. */
export const exportAllByGet = defineCall<ExportStatus>()({
  method: "GET",
  path: "/api/v0/export_all",
  request: nothing,
});

/** 1 and 2 come with an ExportStatus of EMPTY. */
export const DownloadExportRefusal = {
  NoExportTask: { code: 1, msg: "NO_EXPORT_TASK" },
  ExportExpired: { code: 2, msg: "EXPORT_EXPIRED" },
  ExportFailed: { code: 3, msg: "EXPORT_FAILED" },
} as const;

/** What became of the last export. */
export const downloadExportHistory = defineCall<ExportStatus>()({
  method: "GET",
  path: "/api/v0/download_export_history",
  request: nothing,
});

/** The zip behind a status' url: no envelope. The token is the right to it. */
export const exportFile = defineCall<null>()({
  method: "GET",
  path: "/api/v0/export/file",
  auth: "none",
  request: z.object({ token: textOrEmpty }),
});
