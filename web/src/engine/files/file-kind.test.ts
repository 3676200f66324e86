import { EXTENSIONS } from "@plumb/protocol/rules/upload-rules";
import { expect, test } from "vitest";
import { fileKindOf, isTableFile } from "./file-kind.ts";

test("tables are xlsx, xls, csv, tsv and tab [FILE-040]", () => {
  expect(EXTENSIONS.filter((extension) => isTableFile(`a.${extension}`)).toSorted()).toEqual(
    ["xlsx", "xls", "csv", "tsv", "tab"].toSorted(),
  );
});

test.each([
  ["a.PDF", "pdf"],
  ["a.avif", "image"],
  ["a.ods", "table"],
  ["a.ppt", "slides"],
  ["a.epub", "book"],
  ["a.docx", "words"],
  ["a.py", "code"],
  ["Makefile", "code"],
])("%s has the sign of %s", (name, kind) => {
  expect(fileKindOf(name)).toBe(kind);
});
