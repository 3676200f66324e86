// Links to the contents of files, used again while they are good (requirements 1§4, 1§9).
import { LIMITS } from "@plumb/protocol/limits";
import { previewFile, type FilePreview } from "@plumb/protocol/wire/files";
import type { ApiClient } from "../api-client.ts";
import type { ApiError } from "../api-errors.ts";
import type { Browser } from "../browser.ts";

/** What is needed to show a file. `expireAt` in milliseconds. */
export interface PreviewInfo {
  url: string;
  expireAt: number;
  type: "image" | "pdf" | "text";
  name: string;
}

/** As the server sent it; one that says no end is taken to be good for four hours. */
function previewInfo(sent: Partial<FilePreview> & Pick<FilePreview, "url">, now: number): PreviewInfo {
  const { url, expire_at: expireAtSecs, type = "text", name = "" } = sent;
  const expireAt = expireAtSecs === undefined ? now + LIMITS.previewUrlLifeSecs * 1000 : expireAtSecs * 1000;
  return { url, expireAt, type, name };
}

export type PreviewResult = { ok: true; preview: PreviewInfo } | { ok: false; error: ApiError };

export function createPreviewUrls({ browser, api }: { browser: Pick<Browser, "now">; api: ApiClient }) {
  const known = new Map<string, PreviewInfo>();

  /** The link to a file: the one used before while more than ten minutes are left on it. `fresh`: another one anyway. */
  async function get(fileId: string, { fresh = false } = {}): Promise<PreviewResult> {
    const before = known.get(fileId);
    if (!fresh && before !== undefined && before.expireAt - browser.now() > LIMITS.previewUrlReuseMs) {
      return { ok: true, preview: before };
    }
    const result = await api.call(previewFile, { file_id: fileId });
    if (!result.ok) return result;
    const preview = previewInfo(result.data, browser.now());
    known.set(fileId, preview);
    return { ok: true, preview };
  }

  return { get, clear: (): void => known.clear() };
}
