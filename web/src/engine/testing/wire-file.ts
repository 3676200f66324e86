// Files as the server tells them.
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import { INSERTED_SECS } from "./wire-message.ts";

/** One that was read. */
export function wireFile(part: Partial<FileInfo> & Pick<FileInfo, "id" | "file_name">): FileInfo {
  return {
    file_size: 3,
    status: "SUCCESS",
    error_code: null,
    previewable: true,
    token_usage: 1,
    inserted_at: INSERTED_SECS,
    updated_at: INSERTED_SECS,
    from_share: false,
    is_image: false,
    model_kind: "NORMAL",
    audit_result: null,
    signed_path: null,
    ...part,
  };
}
