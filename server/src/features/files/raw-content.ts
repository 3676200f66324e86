// The bytes behind a link as a download that can do nothing in the browser that opens it (wire-contract.md §12.4).
import { extensionOf } from "@plumb/protocol/rules/upload-rules";
import type { PreviewKind } from "@plumb/protocol/wire/files";
import { DownloadAnswer } from "../../platform/http/answers.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { contentKey, textKey } from "./file-keys.ts";
import type { FileRow } from "./file-store.ts";

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  apng: "image/apng",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  svg: "image/svg+xml",
  gif: "image/gif",
  webp: "image/webp",
  bmp: "image/bmp",
  ico: "image/x-icon",
  avif: "image/avif",
};

const headers = {
  "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
};

export function rawContent(store: ObjectStore, file: FileRow, kind: PreviewKind): DownloadAnswer {
  const text = kind === "text";
  const key = text ? textKey(file.id) : contentKey(file.id);
  return new DownloadAnswer(
    {
      name: file.name,
      type: text ? "text/plain; charset=utf-8" : typeOf(file.name, kind),
      disposition: canAct(file.name, kind) ? "attachment" : "inline",
      bytes: text ? file.text_bytes : file.bytes,
      // The bytes of a key never change.
      etag: `"${key}"`,
      read: (start, end) => store.read(key, { start, end }),
    },
    headers,
  );
}

/**
 * A picture that is a document: opened by its link it is saved and not shown. The policy keeps it from running and loading
 * anything, but for a frame that it may not load Chromium connects all the same. As an `img` it is a picture whatever this
 * says, and cannot.
 */
function canAct(name: string, kind: PreviewKind): boolean {
  return kind === "image" && extensionOf(name) === "svg";
}

/** By the name alone: nothing is guessed of the bytes, by us or, with nosniff, by the browser. */
function typeOf(name: string, kind: "pdf" | "image"): string {
  if (kind === "pdf") return "application/pdf";
  return IMAGE_TYPES[extensionOf(name)] ?? "application/octet-stream";
}
