import { describe, expect, it, test } from "vitest";
import en from "../../i18n/files.en_US.json";
import zh from "../../i18n/files.zh_CN.json";
import { LOG_ID } from "../testing/fake-answers.ts";
import type { StoredFile, Upload } from "./draft-file.ts";
import { fileText, parseErrorText, uploadFailure } from "./file-texts.ts";

type Key = keyof typeof en;
const inEnglish = (text: { key: string } | { content: string } | null | undefined): string =>
  text != null && "key" in text ? en[text.key as Key] : "";

const refusal = (code: number) =>
  ({ kind: "refused", scope: "call", code, msg: "", data: null, logId: LOG_ID }) as const;

describe("a refused upload", () => {
  test.each<[title: string, code: number, english: string, chinese: string, canRetry: boolean]>([
    ["no name [FILE-044]", 1, "File name cannot be empty", "文件名不能为空", false],
    ["no bytes [FILE-045]", 2, "File size cannot be empty", "文件内容不能为空", false],
    ["too many bytes [FILE-046]", 3, "File exceeds size limit", "文件超过大小上限", false],
    ["a long name [FILE-047]", 4, "File name too long", "文件名过长", false],
    ["a fault [FILE-048]", 5, "System service exception", "系统服务异常", true],
    ["no room", 6, "Storage limit reached", "存储空间已满", true],
    ["too many an hour [FILE-049]", 7, "Request frequency too high", "请求过于频繁", true],
    ["too many at once [FILE-050]", 8, "Too many concurrent requests", "同时进行的请求过多", true],
    ["the format [FILE-051]", 9, "Unsupported file format", "不支持的文件格式", false],
    ["a full queue [FILE-052]", 15, "Server busy", "服务繁忙", true],
  ])("%s has its words, and whether to try again", (_title, code, english, chinese, canRetry) => {
    const failure = uploadFailure(refusal(code));
    expect([inEnglish(failure?.text), failure?.canRetry]).toEqual([english, canRetry]);
    expect(failure?.text && "key" in failure.text && zh[failure.text.key as Key]).toBe(chinese);
  });

  it("for want of room says how much is used of how much", () => {
    const data = { used_bytes: 10_737_418_000, quota_bytes: 10_737_418_240 };
    expect(uploadFailure({ ...refusal(6), data })).toEqual({
      text: { key: "fileStorageFull" },
      canRetry: true,
      toast: { key: "storageFull", params: { used: "10 GB", quota: "10 GB" } },
    });
  });

  it("of a number nobody knows is a fault with that number", () => {
    expect(uploadFailure(refusal(12))).toEqual({
      text: { key: "fileSystemExceptionCode", params: { code: 12 } },
      canRetry: true,
    });
  });

  it("by a proxy that takes less is too large, and by a lost network can be tried again", () => {
    const http = { kind: "http", code: null, msg: "", logId: "", retryAfterSecs: null } as const;
    expect(uploadFailure({ ...http, status: 413 })).toEqual({
      text: { key: "fileTooLarge" },
      canRetry: false,
    });
    expect(uploadFailure({ kind: "network", reason: "" })).toEqual({
      text: { key: "networkError" },
      canRetry: true,
    });
    expect(uploadFailure({ kind: "aborted" })).toBeNull();
  });
});

test.each<[title: string, codes: (number | null)[], english: string]>([
  ["no text [FILE-053]", [40000, 40001, 40002, 40009], "No text extracted"],
  ["a server that reads no pictures", [40010], "Text in pictures can't be read on this server"],
  [
    "files that cannot be read, and all others [FILE-054]",
    [40003, 40004, 40006, 40007, 40008, 49999, null],
    "Parsing failed",
  ],
  [
    "a server with too much to do [FILE-055]",
    [50200, 50201, 50202, 50300, 50400, 50401, 50402, 50403],
    "Server busy",
  ],
])("%s has its words", (_title, codes, english) => {
  expect(codes.map((code) => inEnglish(parseErrorText(code)))).toEqual(codes.map(() => english));
});

test("each place on a file's way has its words, one that is ready has none [FILE-010]", () => {
  const upload: Upload = { percent: 42, isUploading: true, failed: false, failedMsg: null, canRetry: true };
  const stored = (status: StoredFile["status"], errorCode: number | null = null) =>
    inEnglish(
      fileText({
        upload: null,
        stored: { id: "", status, errorCode, previewable: false, tokenUsage: 0, info: null },
      }),
    );
  expect(fileText({ upload, stored: null })).toEqual({ key: "fileUploading", params: { percent: 42 } });
  expect(inEnglish(fileText({ upload: { ...upload, isUploading: false }, stored: null }))).toBe(
    en.fileQueuing,
  );
  expect(
    fileText({ upload: { ...upload, failed: true, failedMsg: { key: "networkError" } }, stored: null }),
  ).toEqual({ key: "networkError" });
  expect([
    stored("PENDING"),
    stored("PARSING"),
    stored("SUCCESS"),
    stored("FAILED", 50300),
    stored("CONTENT_FILTER"),
    stored("CONTENT_EMPTY", 40001),
    stored("CONTENT_TOO_LONG"),
    stored("CANCELLED"),
    stored("system-error-fail"),
    stored("from-share"),
  ]).toEqual([
    en.fileQueuing,
    en.fileParsing,
    "",
    en.fileServerBusy,
    en.fileFiltered,
    en.fileNoText,
    en.fileTooLong,
    en.fileFailed,
    en.fileSystemException,
    en.fileShared,
  ]);
});
