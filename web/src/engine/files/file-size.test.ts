import { expect, test } from "vitest";
import { formatFileSize } from "./file-size.ts";

test.each([
  [0, "0 B"],
  [1, "1 B"],
  [1023, "1023 B"],
  [1024, "1 KB"],
  [1536, "1.5 KB"],
  [10 * 1024 + 100, "10 KB"],
  [1024 ** 2 - 1, "1 MB"],
  [100 * 1024 ** 2, "100 MB"],
  [9.99 * 1024 ** 3, "10 GB"],
  [1024 ** 8, "1 YB"],
  [5000 * 1024 ** 8, "5000 YB"],
])("%d bytes are %s [FILE-031]", (bytes, words) => {
  expect(formatFileSize(bytes)).toBe(words);
});
