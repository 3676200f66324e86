// An import as its owner sees it (wire-contract.md §19.6).
import type {
  ImportError,
  ImportKind,
  ImportState,
  ImportStatus,
  SkippedSessions,
} from "@plumb/protocol/wire/imports";
import { toSeconds } from "../../platform/seconds.ts";
import type { ImportRow } from "./import-store.ts";

export function presentImport(row: ImportRow): ImportStatus {
  return {
    id: row.id,
    status: row.status as ImportState,
    kind: row.kind as ImportKind | null,
    file_name: row.file_name,
    sessions_total: row.sessions_total,
    sessions_done: row.sessions_done,
    sessions_skipped: row.sessions_skipped,
    skipped: skippedOf(row),
    error: row.error as ImportError | null,
    inserted_at: toSeconds(row.requested_at),
    finished_at: row.finished_at === null ? null : toSeconds(row.finished_at),
  };
}

export function skippedOf({ skipped }: Pick<ImportRow, "skipped">): SkippedSessions[] {
  return JSON.parse(skipped) as SkippedSessions[];
}
