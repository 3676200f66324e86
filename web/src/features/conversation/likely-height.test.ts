import { describe, expect, it } from "vitest";
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import { wireFile } from "../../engine/testing/wire-file.ts";
import { likelyColumn, likelyHeight } from "./likely-height.ts";

const asked = (content: string, files: FileInfo[] = []) =>
  likelyHeight({ role: "USER", fragments: [{ id: 1, type: "REQUEST", content }], files });
const answered = (content: string) =>
  likelyHeight({ role: "ASSISTANT", fragments: [{ id: 2, type: "RESPONSE", content }], files: [] });

describe("the likely height of a message", () => {
  it("is that of a bubble with its buttons for a question of one line", () => {
    expect(asked("Why?")).toBe(94);
  });

  it("has a line of tiles for each three files", () => {
    const files = Array.from({ length: 4 }, (_, at) => wireFile({ id: `file-${at}`, file_name: "a.txt" }));
    expect(asked("Why?", files) - asked("Why?")).toBe(120);
  });

  it("is that of the text with its buttons for a short reply", () => {
    expect(answered("Yes.")).toBe(76);
  });

  it("grows with lines that must wrap, sooner for full-width characters", () => {
    expect(answered("a".repeat(180)) - answered("a")).toBe(28);
    expect(answered("潮".repeat(90)) - answered("潮")).toBe(28);
  });

  it("counts a blank line as half of one", () => {
    expect(answered("a\n\nb") - answered("a")).toBe(42);
  });

  it("takes a folded thought for one line, however long it is", () => {
    const thought = { id: 2, type: "THINK" as const, content: "long ".repeat(999), elapsed_secs: 3 };
    expect(likelyHeight({ role: "ASSISTANT", fragments: [thought], files: [] })).toBe(92);
  });

  it("is that of a narrow column on a phone", () => {
    const answer = { id: 2, type: "RESPONSE" as const, content: "a".repeat(420) };
    const tall = (width: number) =>
      likelyHeight({ role: "ASSISTANT", fragments: [answer], files: [] }, likelyColumn(width));
    expect([1440, 1100, 390].map(tall)).toEqual([188, 188, 328]);
    expect([1440, 820, 390].map((width) => likelyColumn(width))).toEqual([768, 720, 358]);
  });
});
