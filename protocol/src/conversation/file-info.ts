// One uploaded file as its owner sees it (wire-contract.md §3.5). Field names are those of the wire: see docs/decisions/0002.

/** PENDING and PARSING are unfinished, SUCCESS is finished and ok, every other one is finished with an error. */
export type FileStatus =
  | "PENDING"
  | "PARSING"
  | "SUCCESS"
  | "FAILED"
  | "CONTENT_FILTER"
  | "CONTENT_EMPTY"
  | "CONTENT_TOO_LONG"
  | "CANCELLED";

/** Times are unix seconds, `file_size` is in bytes. A message carries only files that were SUCCESS when it was sent. */
export interface FileInfo {
  id: string;
  file_name: string;
  file_size: number;
  status: FileStatus;
  /** One of §18.7 where the status is FAILED or CONTENT_EMPTY. */
  error_code: number | null;
  previewable: boolean;
  /** Tokens of its text as the prompt will have it; 0 until SUCCESS. */
  token_usage: number;
  inserted_at: number;
  updated_at: number;
  /** In shared content: its name is all there is. */
  from_share: boolean;
  is_image: boolean;
  model_kind: "NORMAL";
  audit_result: null;
  signed_path: null;
}
