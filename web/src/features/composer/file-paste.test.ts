import { expect, test } from "vitest";
import { isFilePaste } from "./file-paste.ts";

test.each<[title: string, types: string[], files: number, isPaste: boolean]>([
  ["a picture from a page", ["text/html", "image/png"], 1, true],
  ["a screenshot", ["image/png"], 1, true],
  ["a document from the desktop", ["application/pdf"], 1, true],
  ["a document with its name beside it", ["text/plain", "application/pdf"], 1, true],
  ["words of an office program", ["text/plain", "text/html", "text/rtf", "image/png"], 1, false],
  ["cells of a table", ["text/plain", "image/png"], 1, false],
  ["words with their formats", ["text/rtf", "text/plain"], 1, false],
  ["plain words", ["text/plain"], 0, false],
])("%s is a paste of files or not [FILE-025]", (_title, types, files, isPaste) => {
  expect(isFilePaste(types, files)).toBe(isPaste);
});
