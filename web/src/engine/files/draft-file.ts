// A file as the page keeps it: chosen for a message that is not sent yet, or as a message has it (requirements 1§3).
import type { FileInfo, FileStatus } from "@plumb/protocol/conversation/file-info";
import type { Text } from "../text.ts";

/** The server's statuses and two of the page's own: the server does not know the file any more; it stands in shared content. */
export type ClientFileStatus = FileStatus | "system-error-fail" | "from-share";

/** What is known of a file's way to the server. */
export interface Upload {
  /** Of its bytes, 0 to 100. */
  percent: number;
  /** False while it waits for its turn. */
  isUploading: boolean;
  failed: boolean;
  /** Why it failed; null where it did not. */
  failedMsg: Text | null;
  /** Another try may help, and its bytes are still at hand. */
  canRetry: boolean;
}

/** What the server says of a file. */
export interface StoredFile {
  id: string;
  status: ClientFileStatus;
  errorCode: number | null;
  previewable: boolean;
  /** Tokens of its text, 0 until SUCCESS. */
  tokenUsage: number;
  /** As the server sent it; null for one of which only the id is known, after a reload. */
  info: FileInfo | null;
}

export interface DraftFile {
  /** Names the file for as long as the page shows it; the server's id comes later. */
  renderKey: string;
  fileName: string;
  /** Bytes. */
  fileSize: number;
  /** On its way, or stuck there; null once the server has it. */
  upload: Upload | null;
  /** Null until the server has it. */
  stored: StoredFile | null;
  /** now: its message is on the way, and the file is not shown; before: an earlier load of the page sent it. */
  sent: "no" | "now" | "before";
}

/** Where a file stands for those who wait for it (requirements 1§3). */
export type Readiness = "unfinished" | "ok" | "error";

export function readinessOf(status: ClientFileStatus): Readiness {
  switch (status) {
    case "PENDING":
    case "PARSING":
    case "from-share":
      return "unfinished";
    case "SUCCESS":
      return "ok";
    default:
      return "error";
  }
}

/** The same of a file that may still be on its way. */
export function readinessOfDraft({ upload, stored }: Pick<DraftFile, "upload" | "stored">): Readiness {
  if (upload?.failed === true) return "error";
  return stored === null ? "unfinished" : readinessOf(stored.status);
}

/** What the server says, as the page keeps it. */
export function storedFile(info: FileInfo): StoredFile {
  return {
    id: info.id,
    status: info.from_share ? "from-share" : info.status,
    errorCode: info.error_code,
    previewable: info.previewable && !info.from_share,
    tokenUsage: info.token_usage,
    info,
  };
}

/** A file of a message, as tiles show it. */
export function sentFile(info: FileInfo): DraftFile {
  const stored = storedFile(info);
  const { file_name: fileName, file_size: fileSize } = info;
  return { renderKey: info.id, fileName, fileSize, upload: null, stored, sent: "no" };
}
