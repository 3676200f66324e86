// An export as its owner sees it (wire-contract.md §3.6).
import { LIMITS } from "@plumb/protocol/limits";
import type { ExportState, ExportStatus } from "@plumb/protocol/wire/exports";
import type { ExportRow } from "./export-store.ts";

/** Unix seconds; of an export that is not finished, null. */
export function expireAtOf({ finished_at: finishedAt }: Pick<ExportRow, "finished_at">): number | null {
  return finishedAt === null ? null : Math.floor(finishedAt / 1000) + LIMITS.exportLifeSecs;
}

/** Of a row that has not FAILED. `url` is asked for where there is something to download. */
export function presentExport(row: ExportRow, url: (expireAt: number) => string): ExportStatus {
  const expireAt = row.status === "FINISHED" ? expireAtOf(row) : null;
  return withBothSpellings(row.status as ExportState, {
    history_download_url: expireAt === null ? null : url(expireAt),
    export_at: row.finished_at === null ? null : Math.floor(row.finished_at / 1000),
    expire_at: expireAt,
    bytes: expireAt === null ? null : row.bytes,
    sessions_done: row.sessions_done,
    sessions_total: row.sessions_total,
  });
}

/** There is none, or no longer. */
export const noExport: ExportStatus = withBothSpellings("EMPTY", {
  history_download_url: null,
  export_at: null,
  expire_at: null,
  bytes: null,
  sessions_done: 0,
  sessions_total: 0,
});

type Named =
  "history_download_url" | "export_at" | "expire_at" | "bytes" | "sessions_done" | "sessions_total";

function withBothSpellings(status: ExportState, named: Pick<ExportStatus, Named>): ExportStatus {
  return {
    status,
    ...named,
    legacy_history_download_url: null,
    historyDownloadUrl: named.history_download_url,
    legacyHistoryDownloadUrl: null,
    exportAt: named.export_at,
    expireAt: named.expire_at,
  };
}
