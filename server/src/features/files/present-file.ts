// Rows of files as the wire's object (wire-contract.md §3.5).
import type { FileInfo, FileStatus } from "@plumb/protocol/conversation/file-info";
import { isImageFile, previewKindOf } from "@plumb/protocol/rules/upload-rules";
import { toSeconds } from "../../platform/seconds.ts";
import type { FileRow } from "./file-store.ts";

export function presentFile(row: FileRow): FileInfo {
  return {
    id: row.id,
    file_name: row.name,
    file_size: row.bytes,
    status: row.status as FileStatus,
    error_code: row.error_code,
    previewable: row.status === "SUCCESS" && row.from_share === 0 && previewKindOf(row.name) !== null,
    token_usage: row.tokens,
    inserted_at: toSeconds(row.inserted_at),
    updated_at: toSeconds(row.updated_at),
    from_share: row.from_share !== 0,
    is_image: isImageFile(row.name),
    model_kind: "NORMAL",
    audit_result: null,
    signed_path: null,
  };
}
