// What a file is, by its name: for its sign and for how it is shown (requirements 1§5). Pure.
import { extensionOf, previewKindOf } from "@plumb/protocol/rules/upload-rules";

const TABLES = new Set(["xlsx", "xls", "csv", "tsv", "tab"]);
const SLIDES = new Set(["ppt", "pptx", "odp"]);
const BOOKS = new Set(["epub", "mobi", "azw3", "fb2"]);
const WORDS = new Set(["doc", "docx", "odt", "rtf", "txt", "md", "log", "tex", "rst", "adoc"]);

export type FileKind = "pdf" | "image" | "table" | "slides" | "book" | "words" | "code";

export function isTableFile(fileName: string): boolean {
  return TABLES.has(extensionOf(fileName));
}

/** The sign of a file; what is none of the others is source code, markup or configuration. */
export function fileKindOf(fileName: string): FileKind {
  const extension = extensionOf(fileName);
  const preview = previewKindOf(fileName);
  if (preview === "pdf" || preview === "image") return preview;
  if (isTableFile(fileName) || extension === "ods") return "table";
  if (SLIDES.has(extension)) return "slides";
  if (BOOKS.has(extension)) return "book";
  return WORDS.has(extension) ? "words" : "code";
}
