// What may be uploaded, and how an uploaded file is shown (wire-contract.md §12).
import { LIMITS } from "../limits.ts";
import type { PreviewKind, UploadRefusal } from "../wire/files.ts";
import { hasAtMost } from "./code-points.ts";

const GROUPS = [
  "pdf doc docx odt rtf txt md log",
  "epub mobi azw3 fb2",
  "png jpg jpeg svg gif webp bmp apng ico avif",
  "xls xlsx ods csv tsv tab",
  "ppt pptx odp",
  "c h cc cpp hpp cs java kt scala go rs swift m py rb php pl lua r jl js mjs cjs jsx ts tsx vue svelte dart sql",
  "sh bash zsh bat ps1 ipynb",
  "html htm xml xhtml tex rst adoc json jsonl",
  "yaml yml toml ini conf cfg env properties gradle",
];

/** Extensions of file names that uploads may have, in lower case (wire-contract.md §12.5). A server offers those that it can read. */
export const EXTENSIONS: readonly string[] = GROUPS.flatMap((group) => group.split(" "));

const IMAGES = new Set("png jpg jpeg svg gif webp bmp apng ico avif".split(" "));
const OFFICE = new Set("docx xlsx pptx doc xls ppt".split(" "));

/** What follows the last dot of a name, in lower case; "" without one. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf(".");
  return dot === -1 ? "" : fileName.slice(dot + 1).toLowerCase();
}

/** Controls, ends of lines, marks that turn the direction of writing (a name could hide its extension behind them), halves of characters. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A name as it is kept and shown: its last path part, without what cannot be seen. "" where nothing is left. */
export function cleanFileName(sent: string): string {
  const last = sent.slice(Math.max(sent.lastIndexOf("/"), sent.lastIndexOf("\\")) + 1);
  const name = last.replace(HIDDEN, "").trim();
  return /^\.*$/u.test(name) ? "" : name;
}

export type FileProblem = keyof typeof UploadRefusal &
  ("FileNameEmpty" | "FileNameTooLong" | "UnsupportedFormat" | "FileSizeEmpty" | "FileTooLarge");

/** Why a file cannot be uploaded, or null. `name` is clean; `bytes` null = not known yet. */
export function fileProblem(
  { name, bytes }: { name: string; bytes: number | null },
  extensions: readonly string[],
): FileProblem | null {
  if (name === "") return "FileNameEmpty";
  if (!hasAtMost(name, LIMITS.fileNameChars)) return "FileNameTooLong";
  if (!extensions.includes(extensionOf(name))) return "UnsupportedFormat";
  if (bytes === 0) return "FileSizeEmpty";
  return bytes !== null && bytes > LIMITS.fileBytes ? "FileTooLarge" : null;
}

export function isImageFile(fileName: string): boolean {
  return IMAGES.has(extensionOf(fileName));
}

/** How a file of this name is shown; null for office files, which are not (wire-contract.md §12.3). */
export function previewKindOf(fileName: string): PreviewKind | null {
  const extension = extensionOf(fileName);
  if (OFFICE.has(extension)) return null;
  if (extension === "pdf") return "pdf";
  return IMAGES.has(extension) ? "image" : "text";
}
