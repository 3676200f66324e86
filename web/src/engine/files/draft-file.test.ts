import { describe, expect, it, test } from "vitest";
import { wireFile } from "../testing/wire-file.ts";
import { readinessOf, readinessOfDraft, sentFile, storedFile, type ClientFileStatus } from "./draft-file.ts";

test.each<[title: string, statuses: ClientFileStatus[], readiness: string]>([
  ["unfinished [FILE-005]", ["PENDING", "PARSING"], "unfinished"],
  ["ok [FILE-006]", ["SUCCESS"], "ok"],
  [
    "finished with an error [FILE-007]",
    ["FAILED", "CONTENT_FILTER", "CONTENT_EMPTY", "CONTENT_TOO_LONG", "CANCELLED"],
    "error",
  ],
  ["one that the server lost is finished with an error [FILE-008]", ["system-error-fail"], "error"],
  ["one of shared content is unfinished without an error [FILE-009]", ["from-share"], "unfinished"],
])("statuses: %s", (_title, statuses, readiness) => {
  expect(statuses.map(readinessOf)).toEqual(statuses.map(() => readiness));
});

describe("a file", () => {
  it("is kept with what the server says of it [FILE-002]", () => {
    const info = wireFile({
      id: "file-1",
      file_name: "a.pdf",
      status: "FAILED",
      error_code: 40003,
      previewable: false,
      token_usage: 7,
    });
    expect(storedFile(info)).toEqual({
      id: "file-1",
      status: "FAILED",
      errorCode: 40003,
      previewable: false,
      tokenUsage: 7,
      info,
    });
  });

  it("of shared content shows as from-share and opens nothing [FILE-009]", () => {
    const { stored } = sentFile(wireFile({ id: "file-1", file_name: "a.pdf", from_share: true }));
    expect(stored).toMatchObject({ status: "from-share", previewable: false });
  });

  it("on its way is unfinished, one whose upload failed is an error", () => {
    const upload = { percent: 10, isUploading: true, failed: false, failedMsg: null, canRetry: false };
    expect(readinessOfDraft({ upload, stored: null })).toBe("unfinished");
    expect(readinessOfDraft({ upload: { ...upload, failed: true }, stored: null })).toBe("error");
  });
});
