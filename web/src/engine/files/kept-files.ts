// The files of drafts, kept in the browser for the next load of the page. Only one user's are kept, and of a file only
// what the server knows it by.
import { isRecord, parseJson } from "@plumb/protocol/wire/json";
import type { Browser } from "../browser.ts";
import { KEPT_FILES } from "../sessions/kept-under.ts";
import type { DraftFile } from "./draft-file.ts";

type Storage = Pick<Browser, "storage">;
type ByKey = Readonly<Record<string, readonly DraftFile[]>>;

interface KeptFile {
  renderKey: string;
  fileName: string;
  fileSize: number;
  /** Null for one whose upload was not done when the page was left. */
  id: string | null;
  /** Its message was on the way. */
  isSent: boolean;
}

function isKeptFile(value: unknown): value is KeptFile {
  return (
    isRecord(value) &&
    typeof value["renderKey"] === "string" &&
    typeof value["fileName"] === "string" &&
    typeof value["fileSize"] === "number" &&
    (typeof value["id"] === "string" || value["id"] === null) &&
    typeof value["isSent"] === "boolean"
  );
}

/** A kept file as the page shows it until the server has been asked. */
function revived({ renderKey, fileName, fileSize, id, isSent }: KeptFile): DraftFile {
  return {
    renderKey,
    fileName,
    fileSize,
    sent: isSent ? "before" : "no",
    upload:
      id === null
        ? {
            percent: 0,
            isUploading: false,
            failed: true,
            failedMsg: { key: "fileInterrupted" },
            canRetry: false,
          }
        : null,
    stored:
      id === null
        ? null
        : { id, status: "PENDING", errorCode: null, previewable: false, tokenUsage: 0, info: null },
  };
}

/** What is stored of this user, by the key of its draft; it may have been written by anybody. */
function readStored({ storage }: Storage, userId: string): Record<string, unknown> {
  const parsed = parseJson(storage.get(KEPT_FILES) ?? "");
  if (!parsed.ok || !isRecord(parsed.value) || parsed.value["owner"] !== userId) return {};
  return isRecord(parsed.value["byKey"]) ? parsed.value["byKey"] : {};
}

/** The kept files of this user, by the key of their draft. */
export function readKeptFiles(browser: Storage, userId: string): ByKey {
  return Object.fromEntries(
    Object.entries(readStored(browser, userId)).flatMap(([key, files]) =>
      Array.isArray(files) ? [[key, files.filter(isKeptFile).map(revived)] as const] : [],
    ),
  );
}

function kept({ renderKey, fileName, fileSize, stored, sent }: DraftFile): KeptFile {
  return { renderKey, fileName, fileSize, id: stored?.id ?? null, isSent: sent !== "no" };
}

/**
 * Keeps the files of these drafts; those of others stay as they are, since another tab of the same user keeps its own there. `leaving`: also
 * those whose upload ends with the page, so that they can be told of.
 */
export function writeKeptFiles(
  browser: Storage,
  userId: string,
  changed: ByKey,
  { leaving = false } = {},
): void {
  const byKey = { ...readStored(browser, userId) };
  for (const [key, files] of Object.entries(changed)) {
    const keeps = files.filter(({ stored }) => leaving || stored !== null).map(kept);
    if (keeps.length === 0) delete byKey[key];
    else byKey[key] = keeps;
  }
  if (Object.keys(byKey).length === 0) browser.storage.remove(KEPT_FILES);
  else browser.storage.set(KEPT_FILES, JSON.stringify({ owner: userId, byKey }));
}
